import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Migration } from "../../src/node/migrate.ts";

/**
 * Names and texts of the migrations, in their order.
 * @param root of the repository
 */
export const migrationsOf = (root: string): Migration[] =>
  readdirSync(join(root, "migrations"))
    .filter((name) => name.endsWith(".sql"))
    .sort()
    .map((name) => [name, readFileSync(join(root, "migrations", name), "utf8")]);
