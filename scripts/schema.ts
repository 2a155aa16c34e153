// npm run schema [-- --check]: builds a database from the migrations, and writes what they make: the tables with their indexes and triggers to
// src/store/schema.sql, and the types of their rows to src/store/rows.ts. With --check, fails when a file differs.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Migration } from "../src/node/migrate.ts";
import { generate } from "./schema/generate.ts";

const ROOT = join(import.meta.dirname, "..");

const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });
const migrations = readdirSync(join(ROOT, "migrations"))
  .filter((name) => name.endsWith(".sql"))
  .toSorted()
  .map((name): Migration => [name, readFileSync(join(ROOT, "migrations", name), "utf8")]);
const { sql, types } = generate(migrations);
write("src/store/schema.sql", sql);
write("src/store/rows.ts", types);

function write(path: string, text: string): void {
  if (!values.check) return writeFileSync(join(ROOT, path), text);
  if (readFileSync(join(ROOT, path), "utf8") === text) return;
  process.stderr.write(`${path} differs from the migrations. Run \`npm run schema\` and commit the result.\n`);
  process.exitCode = 1;
}
