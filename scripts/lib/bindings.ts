import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./wrangler.ts";

/** The configuration of the repository. */
export const CONFIG = join(ROOT, "wrangler.toml");

/**
 * Bindings of the D1 databases in a configuration: `DB` first, then `DB_2`, `DB_3` …
 * @param file a wrangler.toml
 */
export function databaseBindings(file: string = CONFIG): string[] {
  const names = readFileSync(file, "utf8").matchAll(/^binding = "(DB(?:_[1-9]\d?)?)"$/gm);
  return [...names].map(([, name]) => name as string).sort((a, b) => numberOf(a) - numberOf(b));
}

const numberOf = (binding: string) => Number(binding.split("_")[1] ?? 1);

/** Name of a local database, which is its `preview_database_id`: `parley`, `parley-2` … */
export const localName = (binding: string) => (binding === "DB" ? "parley" : `parley-${numberOf(binding)}`);
