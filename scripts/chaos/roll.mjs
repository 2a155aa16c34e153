import { createHash } from "node:crypto";

/** A pseudo-random number in [0, 1) that depends only on its keys, not on earlier calls. */
export const roll = (...keys) => createHash("sha256").update(keys.join("\n")).digest().readUInt32BE() / 2 ** 32;

/** One of the items, with equal probability. */
export const choose = (items, ...keys) => items[Math.floor(roll(...keys) * items.length)];

/** A number between two. */
export const between = (from, to, ...keys) => from + roll(...keys) * (to - from);

/**
 * The fault of an outcome, chosen by the faults' shares of all outcomes.
 * @param {[name: string, share: number][]} faults
 * @param {string} otherwise the outcome without a fault
 */
export function chooseFault(faults, otherwise, ...keys) {
  let rest = roll(...keys);
  for (const [name, share] of faults) if ((rest -= share) < 0) return name;
  return otherwise;
}
