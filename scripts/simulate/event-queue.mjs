/**
 * @typedef {object} Event
 * @property {number} at
 * @property {import("../../src/node/host.ts").Life | null} life
 * @property {(() => void) | null} fn null: canceled
 * @property {string} what
 * @property {number} [order]
 */

const isBefore = (a, b) => a.at < b.at || (a.at === b.at && a.order < b.order);

/** Events by their time; of the same time, first come first. A binary heap. */
export class EventQueue {
  /** @type {Event[]} */
  #heap = [];
  #order = 0;

  /** @param {Event} event */
  push(event) {
    event.order = this.#order++;
    const heap = this.#heap;
    let at = heap.push(event) - 1;
    for (let parent; at > 0 && isBefore(event, heap[(parent = (at - 1) >> 1)]); at = parent) heap[at] = heap[parent];
    heap[at] = event;
    return event;
  }

  /** @returns {Event | undefined} */
  pop() {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (!last || heap.length === 0) return first;
    let at = 0;
    for (let child; (child = 2 * at + 1) < heap.length; at = child) {
      if (child + 1 < heap.length && isBefore(heap[child + 1], heap[child])) child++;
      if (!isBefore(heap[child], last)) break;
      heap[at] = heap[child];
    }
    heap[at] = last;
    return first;
  }
}
