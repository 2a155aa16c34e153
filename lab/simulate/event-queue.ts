import type { Life } from "../../src/node/host.ts";

export interface Event {
  at: number;
  life: Life | null;
  /** null: canceled */
  fn: (() => void) | null;
  what: string;
  order?: number;
}

const isBefore = (a: Event, b: Event) => a.at < b.at || (a.at === b.at && (a.order ?? 0) < (b.order ?? 0));

/** Events by their time; of the same time, first come first. A binary heap. */
export class EventQueue {
  #heap: Event[] = [];
  #order = 0;

  push(event: Event) {
    event.order = this.#order++;
    const heap = this.#heap;
    let at = heap.push(event) - 1;
    for (let parent = 0; at > 0 && isBefore(event, heap[(parent = (at - 1) >> 1)]!); at = parent)
      heap[at] = heap[parent]!;
    heap[at] = event;
    return event;
  }

  pop(): Event | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (!last || heap.length === 0) return first;
    let at = 0;
    for (let child; (child = 2 * at + 1) < heap.length; at = child) {
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (!isBefore(heap[child]!, last)) break;
      heap[at] = heap[child]!;
    }
    heap[at] = last;
    return first;
  }
}
