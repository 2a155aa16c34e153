import type { Feedback } from "#workflow-kit/action";
import { at, quoted } from "#workflow-kit/text";
import { paperKey } from "../rules/papers";
import type { NextQuery, NoveltyQueries, PaperScores } from "../artifacts";
import { fnv1a } from "../rules/chance";
import type { ScorePapersInput, WriteNoveltyQueriesInput, WritePaperQueryInput } from "../inputs";

/** Papers that share words with the topic score higher. */
export function mockPaperScores({ topic, papers }: ScorePapersInput, feedback?: Feedback<PaperScores>): PaperScores {
  const words = new Set(topic.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []);
  const base = feedback ? 3 : 4;
  return {
    scores: papers.map(({ title }, index) => {
      const shared = (title.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []).filter((word) => words.has(word)).length;
      const note = `shares ${shared} words with the topic`;
      return { paper: paperKey(index), note, score: Math.min(10, base + Math.min(shared, 3) + (fnv1a(title) % 3)) };
    }),
  };
}

const SIDES = ["benchmark", "robustness", "few-shot", "self-consistency", "evaluation", "decomposition", "multi-agent"];

export function mockQuery(
  { topic, best, queries }: WritePaperQueryInput,
  outcome: string,
  feedback?: Feedback<NextQuery>,
): NextQuery {
  if (feedback) return { kind: "keyword", text: quoted(feedback.comment, 100) };
  const turn = queries.length;
  if (outcome !== "keyword" && best.length)
    return { kind: outcome as NextQuery["kind"], text: paperKey(turn % best.length) };
  return { kind: "keyword", text: `${quoted(topic, 80) || "research"} ${at(SIDES, turn)}` };
}

/** The first words of the mechanism, and of the problem. */
export function mockNoveltyQueries(
  { topic, idea }: WriteNoveltyQueriesInput,
  feedback?: Feedback<NoveltyQueries>,
): NoveltyQueries {
  const words = (text: string) => (text.match(/[\p{L}\p{N}]{3,}/gu) ?? []).slice(0, 8).join(" ").toLowerCase();
  const about = quoted(topic, 80) || "research";
  const queries = [words(quoted(idea.proposed_method, 300)) || about, words(quoted(idea.problem, 300)) || about];
  return { queries: feedback ? [...queries, quoted(feedback.comment, 100)] : queries };
}
