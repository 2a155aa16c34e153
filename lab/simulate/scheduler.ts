import TinyQueue from "tinyqueue";
import type { Call, Life } from "../../src/node/host.ts";

/** What happens to one call. */
export interface Fate {
  /** milliseconds until it arrives */
  before: number;
  /** milliseconds until its answer is back */
  after: number;
  /** `refused`: it is not executed; `lost`: it is executed, and its answer is lost. The caller gets an error in both cases */
  outcome: "done" | "refused" | "lost";
  /** of the process, as the call arrives or when it has been executed */
  crash: "before" | "after" | null;
  /** it is executed even if its caller's process has crashed meanwhile */
  survives: boolean;
}

interface Event {
  at: number;
  /** events of the same time: first come, first */
  order: number;
  life: Life | null;
  /** null: canceled */
  fn: (() => void) | null;
  what: string;
}

interface Options {
  /** milliseconds since the epoch */
  startAt: number;
  fateOf: (call: Call, caller: Life | null) => Fate;
  /** the error of a call that was refused or lost */
  faultOf: (call: Call) => Error;
  crash: () => void;
  /** is called with every event */
  note: ((at: number, life: string, what: string) => void) | null;
}

/** Lets the promises continue that can: everything else waits for the scheduler. */
const { setImmediate: nextTurn } = globalThis;
const settled = () => new Promise((resolve) => void nextTurn(resolve));

/**
 * The one thread of a simulated world: it decides when everything happens that crosses the platform's edge, on a virtual clock. An event
 * runs to its end, with all promises that it settles, before the next one begins. Implements `Host` of `src/node`.
 */
export class Scheduler {
  #queue = new TinyQueue<Event>([], (one, other) => one.at - other.at || one.order - other.order);
  #order = 0;
  /** The life that is running: timers and calls that it begins are its own. */
  current: Life | null = null;
  events = 0;
  /** A number that differs as soon as two schedules differ. */
  fingerprint = 0;
  /** Milliseconds since the epoch. */
  time: number;
  readonly #options: Options;

  constructor(options: Options) {
    this.time = options.startAt;
    this.#options = options;
  }

  /** Milliseconds since the epoch, whole ones. */
  now() {
    return Math.floor(this.time);
  }

  at(time: number, life: Life | null, fn: () => void, what = "timer") {
    const event: Event = { at: Math.max(time, this.time), order: this.#order++, life, fn, what };
    this.#queue.push(event);
    return () => void (event.fn = null);
  }

  call<T>(call: Call, perform: () => T | Promise<T>, where = (): Life | null => null): Promise<T> {
    const caller = this.current;
    const { fateOf, faultOf, crash } = this.#options;
    const fate = fateOf(call, caller);
    const what = `${call.to}: ${call.what}`;
    return new Promise((resolve, reject) => {
      const answer = (settle: () => void, how: string) =>
        void this.at(this.time + fate.after, caller, settle, `${how} ${what}`);
      const done = (settle: () => void, how: string) => {
        if (fate.outcome === "lost") {
          const fault = faultOf(call);
          answer(() => reject(fault), "LOST");
        } else answer(settle, how);
        if (fate.crash === "after") crash();
      };
      const arrive = () => {
        if (caller?.hasEnded && !fate.survives) return;
        if (fate.crash === "before") crash();
        if (fate.outcome === "refused") {
          const fault = faultOf(call);
          return answer(() => reject(fault), "REFUSED");
        }
        const life = where();
        if (life?.hasEnded) return;
        this.current = life;
        let result: T | Promise<T>;
        try {
          result = perform();
        } catch (error) {
          return done(() => reject(error), "error of");
        }
        if (!(result instanceof Promise)) return done(() => resolve(result), "answer to");
        const succeed = (value: T) => done(() => resolve(value), "answer to");
        const fail = (error: unknown) => done(() => reject(error), "error of");
        result.then(succeed, fail);
      };
      this.at(this.time + fate.before, null, arrive, what);
    });
  }

  /**
   * Runs until `isOver`.
   * @param most events
   * @throws Error when nothing can happen any more, or after too many events
   */
  async run(isOver: () => boolean, most: number) {
    while (!isOver()) {
      const event = this.#queue.pop();
      if (!event) throw new Error("The world stands still: nothing is left to happen.");
      const { fn, life } = event;
      if (!fn || life?.hasEnded) continue;
      this.time = event.at;
      this.current = life;
      if (++this.events > most) throw new Error(`The world did not come to its end within ${most} events.`);
      this.fingerprint = (Math.imul(this.fingerprint, 31) + Math.floor(event.at * 1000) + (life?.name.length ?? 0)) | 0;
      this.#options.note?.(event.at, life?.name ?? "platform", event.what);
      fn();
      await settled();
    }
    this.current = null;
  }
}
