import type { z } from "zod";

/** Keyword of a JSON Schema of an object: pairs of its lists that may not share an entry. */
export const EXCLUSIVE = "x-exclusive";

/**
 * Additions whose lists contradict each other where they name the same thing: an answer with such an entry is refused.
 * @param pairs names of properties, each a list of ids, or of objects with an `id`
 */
export const exclusive = <T extends z.ZodObject>(schema: T, pairs: readonly (readonly [string, string])[]): T =>
  schema.meta({ [EXCLUSIVE]: pairs }) as T;
