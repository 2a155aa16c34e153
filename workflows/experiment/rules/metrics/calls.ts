import type { ExpectedCall } from "#workflow-kit/datasets";
import type { Metric } from "./metric";

/** A call that a trial would make. */
interface Call {
  name: string;
  arguments: Readonly<Record<string, unknown>>;
}

/** Texts are compared without case, spaces and the punctuation that BFCL ignores. */
const bare = (text: string): string => text.toLowerCase().replace(/[\s,./\-_*^"'’]/gu, "");

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** An empty text among the accepted values: the argument may be left out. */
const mayBeAbsent = (accepted: unknown): boolean => Array.isArray(accepted) && accepted.includes("");

/** Whether an object has the accepted values under each name, and no other name. */
function holds(value: Readonly<Record<string, unknown>>, accepted: Readonly<Record<string, unknown>>): boolean {
  if (Object.keys(value).some((name) => !Object.hasOwn(accepted, name))) return false;
  return Object.entries(accepted).every(([name, values]) =>
    Object.hasOwn(value, name)
      ? isAccepted(value[name], Array.isArray(values) ? values : [values])
      : mayBeAbsent(values),
  );
}

const isAccepted = (value: unknown, accepted: readonly unknown[]): boolean =>
  accepted.some((one) => isSame(value, one));

/** Of an accepted object, each name holds its own list of accepted values. */
function isSame(value: unknown, right: unknown): boolean {
  if (typeof value === "string" && typeof right === "string") return bare(value) === bare(right);
  if (Array.isArray(value) && Array.isArray(right))
    return value.length === right.length && value.every((one, index) => isSame(one, right[index]));
  if (isRecord(value) && isRecord(right)) return holds(value, right);
  return value === right;
}

/** Whether a call is the expected one: its name, and an accepted value for each argument. */
const isExpected = (call: Call, expected: ExpectedCall): boolean =>
  call.name === expected.name && holds(call.arguments, expected.arguments);

/**
 * Whether calls are the expected ones, in any order: each expected call has a call of its own, and there are no others. Found by
 * augmenting paths, since one call may suit several expected ones.
 */
export function areExpected(calls: readonly Call[], expected: readonly ExpectedCall[]): boolean {
  if (calls.length !== expected.length) return false;
  const takenBy = new Map<number, number>();
  const place = (wanted: number, tried: Set<number>): boolean =>
    calls.some((call, index) => {
      if (tried.has(index) || !isExpected(call, expected[wanted]!)) return false;
      tried.add(index);
      const before = takenBy.get(index);
      if (before !== undefined && !place(before, tried)) return false;
      takenBy.set(index, wanted);
      return true;
    });
  return expected.every((_, wanted) => place(wanted, new Set()));
}

export const callMatch: Metric = {
  name: "call_match",
  version: 1,
  summary:
    "Whether the calls of functions are the expected ones: names, accepted values, optional arguments, in any order (BFCL, the check of its abstract syntax tree).",
  range: [0, 1],
  higher_is_better: true,
  workflows: ["waterfall", "plain"],
  needs: ["calls"],
  score: ({ output }, { gold }) => Number(areExpected((output as { calls?: Call[] }).calls ?? [], gold!.calls!)),
};
