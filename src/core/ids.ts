import { monotonicFactory } from "ulid";
import { z } from "zod";

/** Prefixes of ids. An id is `<prefix>_<ULID>`. */
export type IdPrefix =
  | "run"
  | "art"
  | "int"
  | "evt"
  | "whe"
  | "del"
  | "lea"
  | "agt"
  | "cor"
  | "doc"
  | "dst"
  | "tpl"
  | "sch"
  | "upl"
  | "key"
  | "ten"
  | "aud";

/** The random part of an id has this many characters, each of one byte. */
const random = { bytes: new Uint8Array(16), used: 16 };

/** A number from 0 to 1. The library's own source asks the system for each character. */
function nextRandom(): number {
  if (random.used === random.bytes.length) {
    crypto.getRandomValues(random.bytes);
    random.used = 0;
  }
  return random.bytes[random.used++]! / 256;
}

/** Monotonic: ids that one isolate makes within a millisecond sort in order of creation. */
const ulid = monotonicFactory(nextRandom);

export const newId = (prefix: IdPrefix): string => `${prefix}_${ulid()}`;

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const MAX_TIME = 2 ** 48 - 1;

/** Sorts before all ids that were made at a time, and behind all that were made before it. @param time milliseconds since the epoch */
export function firstIdAt(prefix: IdPrefix, time: number): string {
  let rest = Math.min(Math.max(0, Math.trunc(time)), MAX_TIME);
  let digits = "";
  for (let n = 0; n < 10; n++, rest = Math.floor(rest / 32)) digits = DIGITS[rest % 32] + digits;
  return `${prefix}_${digits}`;
}

const ULID = "[0-7][0-9A-HJKMNP-TV-Z]{25}";

/** Matches ids of this prefix. */
export const idPattern = (prefix: IdPrefix): RegExp => new RegExp(`^${prefix}_${ULID}$`);

export const isId = (prefix: IdPrefix, text: string): boolean => idPattern(prefix).test(text);

/** Matches ids of built-in agents. */
export const BUILT_IN_ID = /^builtin:[a-z0-9-]{1,64}$/;

const EXAMPLE_ULID = "01KA9VR4T5M6N7P8Q9R0S1T2V3";

export const exampleId = (prefix: IdPrefix) => `${prefix}_${EXAMPLE_ULID}`;

/** An id as a field of the API. */
export const id = (prefix: IdPrefix) =>
  z
    .string()
    .regex(idPattern(prefix))
    .meta({ example: exampleId(prefix) });
