import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, tryWrangler, wrangler, type WranglerOptions } from "./wrangler.ts";

/** The names in wrangler.toml that must differ between deployments of one account. Names of bindings are in capitals. */
const NAMES = /^(name|database_name|bucket_name) = "([a-z][^"]*)"$/gm;

/**
 * A deployment of one account: the one that wrangler.toml describes, or one of an environment, with names that end with it.
 * @param environment such as `staging`; undefined: wrangler.toml as it is
 */
export function deployment(environment: string | undefined) {
  if (environment !== undefined && !/^[a-z][a-z0-9-]{0,29}$/.test(environment))
    throw new Error(`"${environment}" cannot name an environment: use lower-case letters, digits and -.`);
  const toml = readFileSync(join(ROOT, "wrangler.toml"), "utf8");
  const named = environment
    ? toml.replaceAll(NAMES, (_, field: string, name: string) => `${field} = "${name}-${environment}"`)
    : toml;
  // Paths in the file are relative to its folder, so it must be beside wrangler.toml.
  const file = environment ? join(ROOT, `wrangler.${environment}.toml`) : null;
  if (file) writeFileSync(file, named);
  const config = file ? ["--config", file] : [];
  const value = (field: string) => new RegExp(`^${field} = "(.*)"$`, "m").exec(named)?.[1] ?? "";
  return {
    name: value("name"),
    database: value("database_name"),
    /** The name of the database with this binding. */
    databaseNamed: (binding: string) =>
      new RegExp(`^binding = "${binding}"\\ndatabase_name = "(.*)"$`, "m").exec(named)?.[1] ?? "",
    bucket: value("bucket_name"),
    wrangler: (args: string[], options?: WranglerOptions) => wrangler([...args, ...config], options),
    tryWrangler: (args: string[], options?: WranglerOptions) => tryWrangler([...args, ...config], options),
    /** Removes the file of the environment. */
    release: () => file && rmSync(file, { force: true }),
  };
}
