import { EventQueue } from "./event-queue.mjs";

/** @typedef {import("../../src/node/host.ts").Life} Life */
/** @typedef {import("../../src/node/host.ts").Call} Call */

/**
 * What happens to one call.
 * @typedef {object} Fate
 * @property {number} before milliseconds until it arrives
 * @property {number} after milliseconds until its answer is back
 * @property {"done" | "refused" | "lost"} outcome `refused`: it is not executed; `lost`: it is executed, and its answer is lost. The caller
 *   gets an error in both cases
 * @property {"before" | "after" | null} crash of the process, as the call arrives or when it has been executed
 * @property {boolean} survives it is executed even if its caller's process has crashed meanwhile
 */

/** Lets the promises go on that can: everything else waits for the scheduler. */
const { setImmediate: nextTurn } = globalThis;
const settled = () => new Promise((resolve) => void nextTurn(resolve));

/**
 * The one thread of a simulated world: it decides when everything happens that crosses the platform's edge, on a virtual clock. An event
 * runs to its end, with all promises that it settles, before the next one begins. Implements `Host` of `src/node`.
 */
export class Scheduler {
  #queue = new EventQueue();
  /** The life that is running: timers and calls that it begins are its own. @type {Life | null} */
  current = null;
  events = 0;
  /** A number that differs as soon as two schedules differ. */
  fingerprint = 0;

  /**
   * @param {object} options
   * @param {number} options.startAt milliseconds since the epoch
   * @param {(call: Call, caller: Life | null) => Fate} options.fateOf
   * @param {(call: Call) => Error} options.faultOf the error of a call that was refused or lost
   * @param {() => void} options.crash
   * @param {((at: number, life: string, what: string) => void) | null} options.note is called with every event
   */
  constructor({ startAt, fateOf, faultOf, crash, note }) {
    this.time = startAt;
    Object.assign(this, { fateOf, faultOf, crash, note });
  }

  /** Milliseconds since the epoch, whole ones. */
  now() {
    return Math.floor(this.time);
  }

  at(time, life, fn, what = "timer") {
    const event = this.#queue.push({ at: Math.max(time, this.time), life, fn, what });
    return () => void (event.fn = null);
  }

  /** @template T @param {Call} call @param {() => T | Promise<T>} perform @returns {Promise<T>} */
  call(call, perform, where = /** @returns {Life | null} */ () => null) {
    const caller = this.current;
    const fate = this.fateOf(call, caller);
    const what = `${call.to}: ${call.what}`;
    return new Promise((resolve, reject) => {
      const answer = (settle, how) => void this.at(this.time + fate.after, caller, settle, `${how} ${what}`);
      const done = (settle, how) => {
        if (fate.outcome === "lost") {
          const fault = this.faultOf(call);
          answer(() => reject(fault), "LOST");
        } else answer(settle, how);
        if (fate.crash === "after") this.crash();
      };
      const arrive = () => {
        if (caller?.hasEnded && !fate.survives) return;
        if (fate.crash === "before") this.crash();
        if (fate.outcome === "refused") {
          const fault = this.faultOf(call);
          return answer(() => reject(fault), "REFUSED");
        }
        const life = where();
        if (life?.hasEnded) return;
        this.current = life;
        let result;
        try {
          result = perform();
        } catch (error) {
          return done(() => reject(error), "error of");
        }
        if (!(result instanceof Promise)) return done(() => resolve(result), "answer to");
        const succeed = (value) => done(() => resolve(value), "answer to");
        const fail = (error) => done(() => reject(error), "error of");
        result.then(succeed, fail);
      };
      this.at(this.time + fate.before, null, arrive, what);
    });
  }

  /**
   * Runs until `isOver`.
   * @param {() => boolean} isOver
   * @param {number} most events
   * @throws Error when nothing can happen any more, or after too many events
   */
  async run(isOver, most) {
    while (!isOver()) {
      const event = this.#queue.pop();
      if (!event) throw new Error("The world stands still: nothing is left to happen.");
      const { fn, life } = event;
      if (!fn || life?.hasEnded) continue;
      this.time = event.at;
      this.current = life;
      if (++this.events > most) throw new Error(`The world did not come to its end within ${most} events.`);
      this.fingerprint = (Math.imul(this.fingerprint, 31) + Math.floor(event.at * 1000) + (life?.name.length ?? 0)) | 0;
      this.note?.(event.at, life?.name ?? "platform", event.what);
      fn();
      await settled();
    }
    this.current = null;
  }
}
