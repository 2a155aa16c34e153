import type { Kind } from "../kinds.ts";
import { DEBATE, PLAIN } from "./variants.ts";
import { jsonLines, type Row, rowsOf } from "../files.ts";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
/** MMLU's subjects of law. */
const SUBJECTS = ["professional_law", "international_law", "jurisprudence"];

/** Choices that say the same as an earlier one are left out: a question of a debate has none. The right one stays. */
function distinct(options: string[], right: number) {
  const said = new Map<string, number>();
  options.forEach((text, index) => {
    const key = text.trim().toLowerCase();
    if (!said.has(key) || index === right) said.set(key, index);
  });
  return [...said.values()].toSorted((a, b) => a - b);
}

function item(id: string, question: string | undefined, options: string[], right: number, tag: string) {
  const choices = distinct(options, right).map((index) => ({ label: LETTERS[index], text: options[index] }));
  return { id, input: { question, choices, language: "en" }, gold: { choice: LETTERS[right] }, tags: [tag] };
}

/** MMLU-Pro, law: a row holds its options. */
const fromPro = ({ question_id, question, options, answer_index, src }: Row) =>
  item(`mmlu_pro_${question_id}`, question, options, answer_index, src ?? "law");

/** MMLU: question, four options, letter of the answer. */
const fromTable =
  (subject: string) =>
  ([question, ...rest]: string[], index: number) =>
    item(`${subject}_${index + 1}`, question, rest.slice(0, -1), LETTERS.indexOf((rest.at(-1) ?? "").trim()), subject);

/** Questions of common law without a corpus (Silva et al., 4). */
export const mmluLaw: Kind = {
  name: "mmlu-law",
  title: "questions of common law with choices, without a corpus",
  workflow: "debate",
  variants: [...DEBATE, PLAIN],
  metrics: ["accuracy", "position_changes"],
  published: {
    name: "MMLU-Pro, law (Wang et al. 2024), or MMLU's subjects of law (Hendrycks et al. 2021)",
    where: "github.com/TIGER-AI-Lab/MMLU-Pro, or github.com/hendrycks/test",
    licence: "MIT (MMLU, and the card of MMLU-Pro; its repository is Apache-2.0)",
    folders: ["legal_mmlu_pro", "test", "data/test"],
    files: `mmlu_pro_law.jsonl with {question_id, question, options, answer_index}, or <subject>_test.csv for ${SUBJECTS.join(", ")}`,
  },
  read(folder) {
    const pro = jsonLines(folder, "mmlu_pro_law.jsonl");
    if (pro) return { items: pro.map(fromPro) };
    const tables = SUBJECTS.map(
      (subject) => rowsOf(folder, `${subject}_test.csv`, ",")?.map(fromTable(subject)) ?? null,
    );
    return tables.some(Boolean) ? { items: tables.flatMap((items) => items ?? []) } : null;
  },
};
