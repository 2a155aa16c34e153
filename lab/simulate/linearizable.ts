import type { Json } from "../../scripts/lib/json.ts";

/** One operation of a client on one object. */
export interface Operation {
  /** when it was sent */
  from: number;
  /** when it was answered; Infinity: no answer came, and it may take effect at any later time or never */
  to: number;
  input: Json;
  output: Json;
}

/** A sequential specification of an object. */
export interface Model<State> {
  initial: State;
  /** the states after an operation with its output; none when the output is not possible in the state */
  step: (state: State, operation: Operation) => State[];
  /** equal for equal states */
  keyOf: (state: State) => string;
}

/**
 * Whether one order of the operations exists that keeps to their times and to the model (linearizability, Herlihy and Wing 1990; the search
 * is that of Wing and Gong 1993, with the states that were seen before remembered as by Lowe 2017).
 * @returns `stuck`: the operations of which none could come next, in the longest order found
 */
export function linearize<State>(
  history: readonly Operation[],
  { initial, step, keyOf }: Model<State>,
): { ok: true } | { ok: false; stuck: Operation[] } {
  const operations = history.toSorted((a, b) => a.from - b.from);
  const at = (index: number) => operations[index] as Operation;
  const seen = new Set<string>();
  let best = { count: -1, stuck: [] as Operation[] };
  /** Depth first; an entry has the operations that are still to come, and the state before them. */
  const open = [{ left: operations.map((_, index) => index), state: initial }];
  for (let entry; (entry = open.pop());) {
    const { left, state } = entry;
    const key = `${keyOf(state)} ${left}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const answered = left.filter((index) => at(index).to < Infinity);
    if (answered.length === 0) return { ok: true };
    const deadline = Math.min(...answered.map((index) => at(index).to));
    const candidates = left.filter((index) => at(index).from <= deadline);
    const count = operations.length - left.length;
    if (count > best.count) best = { count, stuck: candidates.map(at) };
    for (const index of candidates.toReversed())
      for (const next of step(state, at(index)))
        open.push({ left: left.filter((other) => other !== index), state: next });
  }
  return { ok: false, stuck: best.stuck };
}
