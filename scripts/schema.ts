import { command } from "./lib/command.ts";
import { CHECK, writeOrCheck } from "./lib/generated.ts";
import { migrationsOf } from "./lib/migrations.ts";
import { ROOT } from "./lib/wrangler.ts";
import { generate } from "./schema/generate.ts";

const { values } = command({
  name: "schema",
  what: "Builds a database from the migrations. Writes its tables, indexes and triggers to src/store/schema.sql, and the types of its rows to src/store/rows.ts.",
  options: CHECK,
});
const { sql, types } = generate(migrationsOf(ROOT));
writeOrCheck({ "src/store/schema.sql": sql, "src/store/rows.ts": types }, "schema", values);
