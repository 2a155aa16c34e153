/**
 * Replaces `zod` in the Worker (by an alias in wrangler.toml and vitest.config.ts): the functions and classes of zod that Parley and its
 * packages name, and no others. Bundlers cannot drop the rest from `z` themselves: the locales weigh 42 KiB gzipped, and the compiler of
 * schemas, whose code Workers forbid, 8 KiB. A schema of a kind that is missing here fails where it is made; add its function then.
 */
export {
  any,
  array,
  boolean,
  coerce,
  discriminatedUnion,
  email,
  enum,
  fromJSONSchema,
  int,
  iso,
  json,
  literal,
  looseObject,
  NEVER,
  null,
  number,
  object,
  partialRecord,
  preprocess,
  prettifyError,
  record,
  strictObject,
  string,
  toJSONSchema,
  tuple,
  union,
  unknown,
  url,
  ZodError,
  ZodObject,
  ZodType,
} from "zod/v4";
export const locales = undefined;
export const core = undefined;
/** The alias makes `zod` this module. */
export * as z from "zod";
