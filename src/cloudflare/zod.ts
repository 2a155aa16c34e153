/**
 * Replaces `zod` in the Worker (by an alias in wrangler.toml and vitest.config.ts): all of zod except `locales`, and `core`, which
 * contains the locales again. Bundlers cannot drop them from `z` themselves; they weigh 42 KiB gzipped and Parley answers in English.
 */
export * from "zod/v4";
export const locales = undefined;
export const core = undefined;
/** The alias makes `zod` this module. */
export * as z from "zod";
