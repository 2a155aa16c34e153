import crypto, { createHash } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import type { Scheduler } from "./scheduler.ts";
import type { Chance } from "./chance.ts";

export type Input = Parameters<typeof fetch>[0];

/** What the code of a world is given for clock, timers, randomness and network. */
export interface WorldContext {
  scheduler: Scheduler;
  /** of the numbers that code draws, apart from the schedule's */
  chance: Chance;
  fetch: (input: Input, init?: RequestInit) => Promise<Response>;
  log: (level: string, line: string) => void;
}

let world: WorldContext | null = null;

const inWorld = () => {
  if (!world) throw new Error("There is no world to run in.");
  return world;
};

/** Sets the world whose clock, randomness and network all code uses from now on. */
export const enter = (surroundings: WorldContext) => void (world = surroundings);

/** Identifies the world. */
export const currentWorld = () => world;

const HASHES: Record<string, string> = { "SHA-256": "sha256", "SHA-1": "sha1" };
const LEVELS = ["debug", "info", "warn", "error"] as const;

/** Replaces everything of Node by which code could learn of the real time, of real randomness, or reach the real network. */
export function replaceGlobals() {
  const now = () => inWorld().scheduler.now();
  Date.now = now;
  globalThis.Date = new Proxy(Date, {
    construct: (target, args, newTarget) => Reflect.construct(target, args.length ? args : [now()], newTarget),
  });
  performance.now = () => inWorld().scheduler.time;
  Math.random = () => inWorld().chance.real();

  const timer = (ms: number, fn: () => void) => {
    const { scheduler } = inWorld();
    const cancel = scheduler.at(scheduler.time + Math.max(0, Number(ms) || 0), scheduler.current, fn);
    return { cancel, unref: () => {}, ref: () => {} };
  };
  const set = (fn: (...args: unknown[]) => void, ms: number, ...args: unknown[]) => timer(ms, () => fn(...args));
  const clear = (timeout?: { cancel(): void }) => timeout?.cancel();
  Object.assign(globalThis, {
    setTimeout: set,
    clearTimeout: clear,
    setInterval() {
      throw new Error("setInterval is not simulated.");
    },
    scheduler: { wait: (ms: number) => new Promise((resolve) => void timer(ms, () => resolve(undefined))) },
    fetch: (input: Input, init?: RequestInit) => inWorld().fetch(input, init),
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
  const bytes = (count: number) => inWorld().chance.draw(Buffer.allocUnsafe(count));
  const randomUUID = () => {
    const hex = bytes(16).toString("hex");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  };
  const getRandomValues = <T extends ArrayBufferView>(array: T) => {
    const { chance } = inWorld();
    chance.draw(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    return array;
  };
  Object.assign(crypto, { randomBytes: bytes, randomUUID });
  syncBuiltinESMExports();
  const { crypto: web } = globalThis as unknown as { crypto: object };
  Object.defineProperties(web, { randomUUID: { value: randomUUID }, getRandomValues: { value: getRandomValues } });
  // Node computes digests on other threads: here they are computed at once, and their answers are ordered by the scheduler.
  const subtle = {
    digest(algorithm: string, data: Uint8Array) {
      const hash = createHash(HASHES[algorithm] ?? algorithm)
        .update(data)
        .digest();
      const copy = hash.buffer.slice(hash.byteOffset, hash.byteOffset + hash.length);
      const { scheduler } = inWorld();
      return scheduler.call({ to: "crypto", what: `digest ${algorithm}`, writes: false }, () => copy);
    },
  };
  Object.defineProperty(web, "subtle", { value: subtle });
}
