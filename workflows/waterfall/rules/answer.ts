import type { DirectAnswer, Response } from "../artifacts";
import { type FunctionSpec, readCalls } from "./functions";

/** A program has returned, but nothing that can be an answer. The sentence says what it should have returned. */
export class NoAnswer extends Error {
  override name = "NoAnswer";
}

/**
 * What a program returned, as the answer to a request: of an object its `answer`, if it has one; text as it stands, and any other
 * structure as JSON, because a program returns one when the user asked for it.
 * @throws NoAnswer
 */
export function responseOf(value: unknown, functions: readonly FunctionSpec[]): Response {
  const calls = functions.length ? callsOf(value, functions) : null;
  const answer = calls ? answerOf(value, "") || toldCalls(calls) : answerOf(value, value);
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

/** @param otherwise what stands for the answer when the value has none of its own */
function answerOf(value: unknown, otherwise: unknown): string {
  const answer = typeof value === "object" && value !== null && "answer" in value ? value.answer : otherwise;
  if (typeof answer !== "object") return String(answer ?? "").trim();
  return answer === null || isEmptyObject(answer) ? "" : asJson(answer);
}

/** An empty list may be what was asked for; an object without fields says nothing. */
const isEmptyObject = (value: object): boolean => !Array.isArray(value) && Object.keys(value).length === 0;

/** JSON in a text may be this long; it stands whole in `answer_json`. Characters. */
const LONGEST_JSON = 60_000;

function asJson(value: object): string {
  const text = JSON.stringify(value);
  return text.length <= LONGEST_JSON ? text : `${text.slice(0, LONGEST_JSON)}\n\n(The rest stands in answer_json.)`;
}
