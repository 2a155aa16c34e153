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

/** Monotonic: ids that one isolate makes within a millisecond sort in order of creation. */
const ulid = monotonicFactory();

export const newId = (prefix: IdPrefix): string => `${prefix}_${ulid()}`;

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LATEST_TIME = 2 ** 48 - 1;

/** Sorts before all ids that were made at a time, and behind all that were made before it. @param time milliseconds since the epoch */
export function firstIdAt(prefix: IdPrefix, time: number): string {
  let rest = Math.min(Math.max(0, Math.trunc(time)), LATEST_TIME);
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
