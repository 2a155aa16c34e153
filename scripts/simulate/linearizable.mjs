/**
 * One operation of a client on one object.
 * @typedef {object} Operation
 * @property {number} from when it was sent
 * @property {number} to when it was answered; Infinity: no answer came, and it may take effect at any later time or never
 * @property {any} input
 * @property {any} output
 */

/**
 * A sequential specification of an object.
 * @template State
 * @typedef {object} Model
 * @property {State} initial
 * @property {(state: State, operation: Operation) => State[]} step the states after an operation with its output; none when the output
 *   is not possible in the state
 * @property {(state: State) => string} keyOf equal for equal states
 */

/**
 * Whether one order of the operations exists that keeps to their times and to the model (linearizability, Herlihy and Wing 1990; the search
 * is that of Wing and Gong 1993, with the states that were seen before remembered as by Lowe 2017).
 * @template State
 * @param {readonly Operation[]} history
 * @param {Model<State>} model
 * @returns {{ok: true} | {ok: false, stuck: Operation[]}} `stuck`: the operations of which none could come next, in the longest order found
 */
export function linearize(history, { initial, step, keyOf }) {
  const operations = history.toSorted((a, b) => a.from - b.from);
  const seen = new Set();
  let best = { count: -1, stuck: /** @type {Operation[]} */ ([]) };
  /** Depth first; an entry has the operations that are still to come, and the state before them. */
  const open = [{ left: operations.map((_, index) => index), state: initial }];
  for (let entry; (entry = open.pop());) {
    const { left, state } = entry;
    const key = `${keyOf(state)} ${left}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const answered = left.filter((index) => operations[index].to < Infinity);
    if (answered.length === 0) return { ok: true };
    const deadline = Math.min(...answered.map((index) => operations[index].to));
    const candidates = left.filter((index) => operations[index].from <= deadline);
    const count = operations.length - left.length;
    if (count > best.count) best = { count, stuck: candidates.map((index) => operations[index]) };
    for (const index of candidates.toReversed())
      for (const next of step(state, operations[index]))
        open.push({ left: left.filter((other) => other !== index), state: next });
  }
  return { ok: false, stuck: best.stuck };
}
