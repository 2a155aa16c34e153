import type { DirectAnswer, Response } from "../artifacts";
import { type FunctionSpec, readCalls } from "./functions";

/** A program returned no usable answer. The message says what it must return. */
export class NoAnswer extends Error {
  override name = "NoAnswer";
}

/**
 * Makes the answer from a program's result: the `answer` of an object that has one, a text itself, and any other structure as JSON, because
 * the user may have asked for one.
 * @throws NoAnswer
 */
export function responseOf(value: unknown, functions: readonly FunctionSpec[]): Response {
  const calls = functions.length ? callsOf(value, functions) : null;
  const answer = calls ? answerOf(value, "") || describeCalls(calls) : answerOf(value, value);
  if (!answer)
    throw new NoAnswer("main returned nothing: it must return the answer, as a text or as an object with `answer`.");
  return { answer, answer_json: typeof value === "object" ? value : undefined, calls };
}

/** The calls of the single agent. Their arguments are JSON texts, because strict schemas allow no free keys. */
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
  const given = typeof value === "object" && value !== null && "calls" in value ? value.calls : undefined;
  const { calls, faults } = readCalls(given, functions);
  if (faults.length) throw new NoAnswer(`main must return { answer, calls }. ${faults.join(" ")}`);
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

/** Longest JSON in `answer`; `answer_json` holds the whole. Characters. */
const LONGEST_JSON = 60_000;

function asJson(value: object): string {
  const text = JSON.stringify(value);
  return text.length <= LONGEST_JSON ? text : `${text.slice(0, LONGEST_JSON)}\n\n(The rest stands in answer_json.)`;
}
