import type { Kind } from "../kinds.ts";
import { PLAIN, WATERFALL } from "./variants.ts";
import { jsonLines, type Row } from "../files.ts";

/** Answers of the publishers' reference by question id. Their own files nest the turns in `choices`. */
const referencesOf = (folder: string) =>
  new Map<string, string[]>(
    (jsonLines(folder, "reference_gpt4.jsonl") ?? jsonLines(folder, "reference_answer/gpt-4.jsonl") ?? []).map(
      ({ question_id, turns, choices }) => [question_id, turns ?? choices[0].turns],
    ),
  );

const dialogue = (request: string, answer: string | undefined) =>
  `The dialogue so far:\n\nUser: ${request}\n\nAssistant: ${answer}`;
const gold = (reference: string | undefined) => (reference ? { gold: { reference } } : {});

/** A first turn is an item; a second turn is one where a reference says what was answered before it. */
function itemsOf({ question_id, category, turns, reference }: Row, references: Map<string, string[]>) {
  const answers = references.get(question_id);
  const known = answers ?? reference ?? [];
  const [first, second] = turns;
  return [
    { id: `mt_bench_${question_id}_1`, input: { requirement: first }, ...gold(known[0]), tags: [category, "turn 1"] },
    ...(answers
      ? [
          {
            id: `mt_bench_${question_id}_2`,
            input: { requirement: second, context: dialogue(first, answers[0]) },
            ...gold(known[1]),
            tags: [category, "turn 2"],
          },
        ]
      : []),
  ];
}

/** Open requests, which a judge compares (WaAgents, table 2). */
export const mtBench: Kind = {
  name: "mt-bench",
  title: "open requests of two turns, which a judge compares",
  workflow: "waterfall",
  variants: [...WATERFALL, PLAIN],
  metrics: ["fair_eval"],
  published: {
    name: "MT-Bench (Zheng et al. 2023)",
    where: "github.com/lm-sys/FastChat, fastchat/llm_judge/data/mt_bench/",
    licence: "Apache-2.0",
    folders: ["mt_bench", "fastchat/llm_judge/data/mt_bench"],
    files: "question.jsonl; with reference_answer/gpt-4.jsonl (or reference_gpt4.jsonl) second turns are run too",
  },
  read(folder) {
    const references = referencesOf(folder);
    const questions = jsonLines(folder, "question.jsonl");
    return questions && { items: questions.flatMap((question) => itemsOf(question, references)) };
  },
};
