import crypto, { createHash } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

/**
 * What the code of a world is given for clock, timers, randomness and network.
 * @typedef {object} Surroundings
 * @property {import("./scheduler.mjs").Scheduler} scheduler
 * @property {import("./chance.mjs").Chance} chance of the numbers that code draws, apart from the schedule's
 * @property {(input: any, init?: any) => Promise<Response>} fetch
 * @property {(level: string, line: string) => void} log
 */

/** @type {Surroundings | null} */
let world = null;

const inWorld = () => {
  if (!world) throw new Error("There is no world to run in.");
  return world;
};

/** Sets the world whose clock, randomness and network all code uses from now on. */
export const enter = (surroundings) => void (world = surroundings);

/** Identifies the world. */
export const currentWorld = () => world;

const HASHES = { "SHA-256": "sha256", "SHA-1": "sha1" };
const LEVELS = /** @type {const} */ (["debug", "info", "warn", "error"]);

/** Replaces everything of Node by which code could learn of the real time, of real randomness, or reach the real network. */
export function replaceGlobals() {
  const now = () => inWorld().scheduler.now();
  Date.now = now;
  globalThis.Date = new Proxy(Date, {
    construct: (target, args, newTarget) => Reflect.construct(target, args.length ? args : [now()], newTarget),
  });
  performance.now = () => inWorld().scheduler.time;
  Math.random = () => inWorld().chance.real();

  const timer = (ms, fn) => {
    const { scheduler } = inWorld();
    const cancel = scheduler.at(scheduler.time + Math.max(0, Number(ms) || 0), scheduler.current, fn);
    return { cancel, unref: () => {}, ref: () => {} };
  };
  const set = (fn, ms, ...args) => timer(ms, () => fn(...args));
  const clear = (timeout) => timeout?.cancel();
  Object.assign(globalThis, {
    setTimeout: set,
    clearTimeout: clear,
    setInterval() {
      throw new Error("setInterval is not simulated.");
    },
    scheduler: { wait: (ms) => new Promise((resolve) => void timer(ms, () => resolve(undefined))) },
    fetch: (input, init) => inWorld().fetch(input, init),
  });
  AbortSignal.timeout = (ms) => {
    const controller = new AbortController();
    timer(ms, () => controller.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError")));
    return controller.signal;
  };
  replaceRandomness();
  for (const level of LEVELS) console[level] = (...parts) => inWorld().log(level, parts.join(" "));
}

function replaceRandomness() {
  const bytes = (count) => inWorld().chance.draw(Buffer.allocUnsafe(count));
  const randomUUID = () => {
    const hex = bytes(16).toString("hex");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  };
  const getRandomValues = (array) => {
    const { chance } = inWorld();
    chance.draw(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    return array;
  };
  Object.assign(crypto, { randomBytes: bytes, randomUUID });
  syncBuiltinESMExports();
  const web = globalThis.crypto;
  Object.defineProperties(web, { randomUUID: { value: randomUUID }, getRandomValues: { value: getRandomValues } });
  // Node computes digests on other threads: here they are computed at once, and their answers are ordered by the scheduler.
  const subtle = {
    digest(algorithm, data) {
      const hash = createHash(HASHES[algorithm]).update(data).digest();
      const copy = hash.buffer.slice(hash.byteOffset, hash.byteOffset + hash.length);
      const { scheduler } = inWorld();
      return scheduler.call({ to: "crypto", what: `digest ${algorithm}`, writes: false }, () => copy);
    },
  };
  Object.defineProperty(web, "subtle", { value: subtle });
}
