import type { DirectAnswer, Response } from "../artifacts";
import { type FunctionSpec, readCalls } from "#workflow-kit/functions";

/** A program returned no usable answer. The message says what it must return. */
export class NoAnswerError extends Error {
  override name = "NoAnswerError";
}

/**
 * Makes the answer from a program's result: the `answer` of an object that has one, a text itself, and any other structure as JSON, because
 * the user may have asked for one. A text that is JSON stays as it is, and is read for `answer_json` and for calls.
 * @throws NoAnswerError
 */
export function responseOf(result: unknown, functions: readonly FunctionSpec[]): Response {
  const structure = typeof result === "string" ? structureOf(result) : result;
  const value = functions.length ? structure : result;
  const calls = functions.length ? callsOf(value, functions) : null;
  const answer = calls ? answerOf(value, "") || describeCalls(calls) : answerOf(value, value);
  if (!answer)
    throw new NoAnswerError(
      "main returned nothing: it must return the answer, as a text or as an object with `answer`.",
    );
  return { answer, answer_json: typeof structure === "object" ? structure : undefined, calls };
}

/** The object or list that a JSON text holds, with a code fence around it or without; other texts themselves. */
function structureOf(text: string): unknown {
  const lines = text.trim().split("\n");
  const isFenced = /^```(?:json)?\s*$/i.test(lines[0]!) && lines.at(-1)!.trim() === "```";
  const inner = isFenced ? lines.slice(1, -1).join("\n") : text;
  return /^\s*[[{]/.test(inner) ? (parsedOr(inner, text) ?? text) : text;
}

/**
 * The whole response as its verifier reads it: data beside the property `answer` belongs to it. Calls of the caller's functions are shown
 * apart.
 */
export function textOfResponse({ answer, answer_json, calls }: Response): string {
  if (typeof answer_json !== "object" || answer_json === null || Array.isArray(answer_json)) return answer;
  const { calls: listed, ...others } = answer_json as Record<string, unknown>;
  const shown = calls ? others : { ...others, ...(listed === undefined ? {} : { calls: listed }) };
  const names = Object.keys(shown).filter((name) => name !== "answer");
  return names.length && "answer" in shown ? asJson(shown) : answer;
}

/** The calls of the single agent. Their arguments are JSON texts, because strict schemas allow no free keys. */
export function callsOfDirectAnswer({ calls }: DirectAnswer, functions: readonly FunctionSpec[]) {
  return readCalls(
    calls.map(({ name, arguments: text }) => ({ name, arguments: parsedOr(text, text) })),
    functions,
  );
}

function parsedOr(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}

function callsOf(value: unknown, functions: readonly FunctionSpec[]) {
  const given = typeof value === "object" && value !== null && "calls" in value ? value.calls : undefined;
  const { calls, errors } = readCalls(given, functions);
  if (errors.length) throw new NoAnswerError(`main must return { answer, calls }. ${errors.join(" ")}`);
  return calls;
}

const describeCalls = (calls: NonNullable<Response["calls"]>): string =>
  calls.map(({ name, arguments: given }) => `${name}(${JSON.stringify(given)})`).join("\n") || "No call is needed.";

/** @param otherwise the answer when the value has no `answer` */
function answerOf(value: unknown, otherwise: unknown): string {
  const answer = typeof value === "object" && value !== null && "answer" in value ? value.answer : otherwise;
  if (typeof answer !== "object") return String(answer ?? "").trim();
  return answer === null || isEmptyObject(answer) ? "" : asJson(answer);
}

/** An empty object is no answer; an empty list can be one. */
const isEmptyObject = (value: object): boolean => !Array.isArray(value) && Object.keys(value).length === 0;

/** Longest JSON in `answer`; `answer_json` holds the whole. Longest JSON on one line. Characters. */
const MAX_JSON_LENGTH = 60_000;
const MAX_LINE_LENGTH = 80;
/** Longer JSON is not indented. Characters. */
const MAX_INDENTED = 100_000;

/** JSON that a person can read: on one line when it is short, otherwise indented. */
function asJson(value: object): string {
  const compact = JSON.stringify(value);
  const isShort = compact.length <= MAX_LINE_LENGTH || compact.length > MAX_INDENTED;
  const indented = isShort ? compact : JSON.stringify(value, null, 2);
  const text = indented.length <= MAX_JSON_LENGTH ? indented : compact;
  return text.length <= MAX_JSON_LENGTH ? text : `${text.slice(0, MAX_JSON_LENGTH)}\n\n(The rest is in answer_json.)`;
}
