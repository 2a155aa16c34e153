import { createHash } from "node:crypto";

/** A number from 0 to below 1 that its names decide, whatever was rolled before. */
export const roll = (...names) => createHash("sha256").update(names.join("\n")).digest().readUInt32BE() / 2 ** 32;

/** One of several, each as likely as the others. */
export const choose = (items, ...names) => items[Math.floor(roll(...names) * items.length)];

/** A number between two. */
export const between = (from, to, ...names) => from + roll(...names) * (to - from);
