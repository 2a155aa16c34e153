import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Migration } from "../src/node/migrate.ts";
import { command } from "./lib/command.ts";
import { ROOT } from "./lib/wrangler.ts";
import { generate } from "./schema/generate.ts";

const { values } = command({
  name: "schema",
  what: "Builds a database from the migrations. Writes its tables, indexes and triggers to src/store/schema.sql, and the types of its rows to src/store/rows.ts.",
  options: { check: { type: "boolean", help: "writes nothing, and fails when a file differs from the migrations" } },
});
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
