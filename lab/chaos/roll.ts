import { createHash } from "node:crypto";

type Keys = readonly (string | number)[];

/** A pseudo-random number in [0, 1) that depends only on its keys, not on earlier calls. */
export const roll = (...keys: Keys) => createHash("sha256").update(keys.join("\n")).digest().readUInt32BE() / 2 ** 32;

/** One of the items, with equal probability. */
export const choose = <T>(items: readonly T[], ...keys: Keys) => items[Math.floor(roll(...keys) * items.length)] as T;

/** A number between two. */
export const between = (from: number, to: number, ...keys: Keys) => from + roll(...keys) * (to - from);

/**
 * The fault of an outcome, chosen by the faults' shares of all outcomes.
 * @param otherwise the outcome without a fault
 */
export function chooseFault(faults: [name: string, share: number][], otherwise: string, ...keys: Keys) {
  let rest = roll(...keys);
  for (const [name, share] of faults) if ((rest -= share) < 0) return name;
  return otherwise;
}
