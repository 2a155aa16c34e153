import { endsOf, type LoggedCall } from "#workflow-kit/programs";

/** Most characters of all inputs and results of agent calls that analysts and fixers see together. */
const MAX_CHARACTERS = 24_000;
/** Every input or result may have so many, however many calls there are. Characters. */
const MIN_CHARACTERS = 120;

/**
 * Agent calls within a common bound: short texts stay whole, and long ones share what is left, with their beginnings and ends.
 * Without a bound 64 calls would exceed the context of a model.
 */
export function boundedCalls(calls: readonly LoggedCall[], most = MAX_CHARACTERS): LoggedCall[] {
  const longest = fairShare(
    calls.flatMap(({ task, input, value }) => [task.length, input.length, value.length]),
    most,
  );
  return calls.map((call) => ({
    ...call,
    task: endsOf(call.task, longest),
    input: endsOf(call.input, longest),
    value: endsOf(call.value, longest),
  }));
}

/** The length to which texts are cut, so that together they have at most `most` characters: the longest are cut first. */
function fairShare(lengths: readonly number[], most: number): number {
  let remaining = most;
  const sorted = [...lengths].sort((a, b) => a - b);
  for (const [index, length] of sorted.entries()) {
    const share = remaining / (sorted.length - index);
    if (length > share) return Math.max(MIN_CHARACTERS, Math.floor(share));
    remaining -= length;
  }
  return Infinity;
}
