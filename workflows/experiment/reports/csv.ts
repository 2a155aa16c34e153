import type { AnalysisInput } from "../rules/analysis-types";
import type { TrialResult } from "../rules/trials";

type Value = string | number | boolean | null;

const COLUMNS: Readonly<Record<string, (trial: TrialResult) => Value>> = {
  variant: ({ variant }) => variant,
  item: ({ item }) => item,
  repetition: ({ repetition }) => repetition,
  workflow: ({ workflow }) => workflow,
  run_id: ({ run_id }) => run_id,
  status: ({ status }) => status,
  error: ({ error }) => error?.code ?? null,
  error_detail: ({ error }) => error?.detail ?? null,
  reused: ({ reused }) => reused,
  answer: ({ answer }) => answer,
  confidence: ({ confidence }) => confidence,
  cost_usd: ({ usage }) => usage.cost_usd,
  llm_calls: ({ usage }) => usage.llm_calls,
  input_tokens: ({ usage }) => usage.input_tokens,
  output_tokens: ({ usage }) => usage.output_tokens,
  seconds: ({ seconds }) => seconds,
};

/**
 * Spreadsheets read a cell that begins like this as a formula, and it may send what else they hold. Where they separate cells by semicolons,
 * a cell begins after each of them.
 */
const FORMULA = /^[\s;]*[=+\-@|%]|^[\t\r\n]/u;

/** A number that an answer is, such as `-5`, is no formula. */
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/u;

/** A text that a spreadsheet would execute gets an apostrophe, by which it stays a text. */
const cell = (value: Value): string => {
  if (value === null) return "";
  if (typeof value !== "string") return String(value);
  const isFormula = FORMULA.test(value) && !NUMBER.test(value);
  const text = isFormula ? `'${value}` : value;
  return isFormula || /[",;\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** All trials as CSV (RFC 4180): one line each, with a column for every measure, `score:<measure>`; empty: no value. */
export function trialsCsv({ results, measures }: Pick<AnalysisInput, "results" | "measures">): string {
  const names = measures.map(({ name }) => name);
  const head = [...Object.keys(COLUMNS), ...names.map((name) => `score:${name}`)];
  const lines = results.map((trial) => [
    ...Object.values(COLUMNS).map((value) => value(trial)),
    ...names.map((name) => trial.scores[name] ?? null),
  ]);
  return [head, ...lines].map((line) => `${line.map(cell).join(",")}\r\n`).join("");
}
