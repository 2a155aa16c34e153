import { normalForm } from "#workflow-kit/text";
import type { DatasetItem } from "#workflow-kit/datasets";
import type { Trial } from "../trials";
import type { Metric } from "./metric";

/** The answer of a trial as text; null: it has none, or its output is a document. */
export function answerOf({ output }: Pick<Trial, "output">): string | null {
  const answer = (output as { answer?: unknown } | null)?.answer;
  return typeof answer === "string" ? answer : null;
}

/** The last line `Answer: …` of a reply, or its whole text. */
const afterMark = (text: string): string => /^.*\banswer\b[\s*_`]*[:：](.+)$/imu.exec(lastMarked(text))?.[1] ?? text;

const lastMarked = (text: string): string =>
  text.split("\n").findLast((line) => /\banswer\b[^:：\n]*[:：]\s*\S/iu.test(line)) ?? "";

const NUMBER = /[-−]?\d[\d,\u00a0\u202f']*(?:\.\d+)?/gu;

/**
 * The final number of an answer: the last one in the line that is marked as the answer, else the last one of all (WaAgents, 4.1, MGSM).
 * Commas, apostrophes and narrow spaces between digits separate thousands; a point begins decimals. null: there is no number.
 */
export function finalNumber(text: string): number | null {
  const last = afterMark(text).match(NUMBER)?.at(-1);
  if (last === undefined) return null;
  const value = Number(last.replace(/[^\d.−-]/gu, "").replace("−", "-"));
  return Number.isFinite(value) ? value : null;
}

/** Text without case, repeated spaces, and punctuation around it. */
const folded = (text: string): string =>
  normalForm(text, "NFKC")
    .toLowerCase()
    .replace(/\s+/gu, " ")
    .replace(/^[\p{P}\p{S}\s]+|(?<![\p{P}\p{S}\s])[\p{P}\p{S}\s]+$/gu, "");

const share = (met: boolean): number => Number(met);
const RATE = { range: [0, 1], higher_is_better: true } as const;

const accuracy: Metric = {
  ...RATE,
  name: "accuracy",
  version: 1,
  summary: "Whether the answer is the label of the right choice; no answer is wrong (Silva et al., 4.2).",
  workflows: ["debate", "plain"],
  needs: ["choice"],
  score: (trial, { gold }) => share(folded(answerOf(trial) ?? "") === folded(gold!.choice!)),
};

const numberMatch: Metric = {
  ...RATE,
  name: "number_match",
  version: 1,
  summary: "Whether the final number of the answer is the right one, to 1e-6 (WaAgents, 4.1: success rate on MGSM).",
  workflows: ["waterfall", "plain", "debate"],
  needs: ["number"],
  score: (trial, { gold }) => share(isNumber(finalNumber(answerOf(trial) ?? ""), gold!.number!)),
};

const isNumber = (found: number | null, right: number): boolean =>
  found !== null && Math.abs(found - right) <= 1e-6 * Math.max(1, Math.abs(right));

const textMatch: Metric = {
  ...RATE,
  name: "text_match",
  version: 1,
  summary: "Whether the answer is one of the right texts; case, spaces and punctuation around it do not count.",
  workflows: ["waterfall", "plain", "debate"],
  needs: ["text"],
  score: (trial, { gold }) => share(isText(answerOf(trial) ?? "", gold!)),
};

const isText = (answer: string, { text = [] }: NonNullable<DatasetItem["gold"]>): boolean =>
  text.some((right) => [answer, afterMark(answer)].some((said) => folded(said) === folded(right)));

export const ANSWER_METRICS: readonly Metric[] = [accuracy, numberMatch, textMatch];
