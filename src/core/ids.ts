import { monotonicFactory } from "ulid";

/** Prefixes of ids; an id is `<prefix>_<ULID>`. */
export type IdPrefix = "run" | "art" | "int" | "evt" | "whe" | "del" | "agt" | "cor" | "doc" | "upl" | "key" | "ten";

/** Ids that one isolate makes within a millisecond still sort in the order they were made. */
const ulid = monotonicFactory();

export const newId = (prefix: IdPrefix): string => `${prefix}_${ulid()}`;

const ULID = "[0-7][0-9A-HJKMNP-TV-Z]{25}";

/** A regular expression that an id of this prefix matches. */
export const idPattern = (prefix: IdPrefix): RegExp => new RegExp(`^${prefix}_${ULID}$`);

export const isId = (prefix: IdPrefix, text: string): boolean => idPattern(prefix).test(text);

/** A regular expression that the id of a built-in agent matches. */
export const BUILT_IN_ID = /^builtin:[a-z0-9-]{1,64}$/;
