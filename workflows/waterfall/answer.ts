import type { DirectAnswer, Response } from "./artifacts";
import { type FunctionSpec, readCalls } from "./functions";

/** A program has returned, but nothing that can be an answer. The sentence says what it should have returned. */
export class NoAnswer extends Error {
  override name = "NoAnswer";
}

/**
 * What a program returned, as the answer to a request: text as it stands; of a structure its `answer`, else the structure told in
 * words.
 * @throws NoAnswer
 */
export function responseOf(value: unknown, functions: readonly FunctionSpec[]): Response {
  const calls = functions.length ? callsOf(value, functions) : null;
  const answer = calls ? answerOf(value) || toldCalls(calls) : answerOf(value);
  if (!answer)
    throw new NoAnswer("main returned nothing: it must return the answer, as a text or as an object with `answer`.");
  return { answer, answer_json: typeof value === "object" ? value : undefined, calls };
}

/** The calls of a single agent, whose arguments are text because strict schemas know no free keys. */
export function callsOfDirectAnswer({ calls }: DirectAnswer, functions: readonly FunctionSpec[]) {
  return readCalls(
    calls.map(({ name, arguments: text }) => ({ name, arguments: parsed(text) })),
    functions,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function callsOf(value: unknown, functions: readonly FunctionSpec[]) {
  const told = typeof value === "object" && value !== null && "calls" in value ? value.calls : undefined;
  const { calls, faults } = readCalls(told, functions);
  if (faults.length) throw new NoAnswer(`main must return { answer, calls }. ${faults.join(" ")}`);
  return calls;
}

const toldCalls = (calls: NonNullable<Response["calls"]>): string =>
  calls.map(({ name, arguments: given }) => `${name}(${JSON.stringify(given)})`).join("\n") || "No call is needed.";

function answerOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return toText(value);
  if ("answer" in value && ["string", "number", "boolean"].includes(typeof value.answer)) return toText(value.answer);
  return inWords(value);
}

/** A structure told in words may be this long; it stands whole in `answer_json`. Characters. */
const LONGEST_TOLD = 60_000;
/** Deeper lists are not indented further: a small structure must not make a large text. */
const DEEPEST_INDENT = 8;

/** A structure in words, cut where it grows too long to be read. */
function inWords(value: unknown): string {
  const text = toText(value);
  if (text.length <= LONGEST_TOLD) return text;
  return `${text.slice(0, LONGEST_TOLD)}\n\n(The rest stands in answer_json.)`;
}

/** Any JSON value as Markdown that a person can read. */
export function toText(value: unknown, depth = 0): string {
  if (value === null || value === undefined) return "";
  if (typeof value !== "object") return String(value).trim();
  const pad = "  ".repeat(Math.min(depth, DEEPEST_INDENT));
  const rows = Array.isArray(value)
    ? value.map((item) => row("", item, depth))
    : Object.entries(value).map(([key, item]) => row(`**${key.replaceAll("_", " ")}**: `, item, depth));
  return rows
    .filter((text) => text !== "")
    .map((text) => `${pad}- ${text}`)
    .join("\n");
}

function row(label: string, item: unknown, depth: number): string {
  const text = toText(item, depth + 1);
  if (text === "") return "";
  return typeof item === "object" && item !== null ? `${label.trimEnd()}\n${text}` : `${label}${text}`;
}
