import { globSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { runMock } from "./chaos/runs.ts";
import { scenariosOf } from "./chaos/scenarios.ts";
import { clientOf } from "./lib/client.ts";
import { command, UsageError, work } from "../scripts/lib/command.ts";
import type { Json } from "../scripts/lib/json.ts";
import { withServer } from "../scripts/lib/server.ts";
import { say } from "../scripts/lib/terminal.ts";
import type { Row } from "../scripts/lib/database.ts";
import { ROOT } from "../scripts/lib/wrangler.ts";

const ABOUT = {
  name: "record-histories",
  takes: "[method]",
  what: `Executes a run of each workflow, or of one, on the mock model, and writes what D1 holds of it to test/fixtures/histories. Later code must
replay these runs to the same output; record anew for a new version, and delete only versions that \`min_version\` has left behind.`,
  example: "plain",
};

const FOLDER = join(ROOT, "test/fixtures/histories");

const { positionals } = command(ABOUT);
await work(ABOUT.name, () =>
  withServer({ env: { MAINTENANCE_INTERVAL_MS: "1000" } }, async (server, state) => {
    const api = clientOf(server.url, server.test_key);
    const all: string[] = (await api.get("/v1/workflows")).data.map(({ name }: Json) => name);
    const unknown = positionals.filter((name) => !all.includes(name));
    if (unknown.length > 0)
      throw new UsageError(`There is no method ${unknown.join(", ")}; there are ${all.join(", ")}`);
    const names = positionals.length > 0 ? positionals : all;
    const scenarios = await scenariosOf(names, { absent: false });
    const chosen = names.flatMap((name) => scenarios.find(({ workflow }) => workflow === name) ?? []);
    const ids = (await Promise.all(chosen.map((scenario) => runMock(api, scenario)))).map(({ id }) => id);
    const contents = new Map<string, string>();
    for (const id of ids) {
      for (const artifact of await api.all(`/v1/runs/${id}/artifacts`)) {
        const { content } = await api.get(`/v1/runs/${id}/artifacts/${artifact.id}`);
        contents.set(artifact.id, typeof content === "string" ? content : JSON.stringify(content));
      }
    }
    await server.stop();
    mkdirSync(FOLDER, { recursive: true });
    for (const id of ids) write(state, id, contents);
  }),
);

/**
 * Writes the rows of a run.
 * @param state folder of the server
 * @param contents of artifacts, for those that are not in D1
 */
function write(state: string, id: string, contents: Map<string, string>) {
  const file = globSync(join(state, "**/d1/**/*.sqlite")).find((path) => !path.includes("metadata"));
  const db = new DatabaseSync(String(file));
  const run = db.prepare("SELECT * FROM runs WHERE id = ?").get(id) as Row;
  const artifacts = db
    .prepare("SELECT * FROM artifacts WHERE run_id = ? ORDER BY id")
    .all(id)
    .map((row) => ({ ...row, content: row.content ?? contents.get(String(row.id)), content_key: null }));
  const interactions = db.prepare("SELECT * FROM interactions WHERE run_id = ? ORDER BY id").all(id);
  const { dataset_id } = JSON.parse(run.input ?? "{}");
  const rowsOf = (sql: string) => (dataset_id === undefined ? [] : db.prepare(sql).all(dataset_id));
  const datasets = rowsOf("SELECT * FROM datasets WHERE id = ?");
  const dataset_items = rowsOf("SELECT * FROM dataset_items WHERE dataset_id = ? ORDER BY position");
  db.close();
  const path = join(FOLDER, `${run.workflow}-v${run.workflow_version}.json`);
  writeFileSync(path, `${JSON.stringify({ run, artifacts, interactions, datasets, dataset_items })}\n`);
  say(`${path}: ${artifacts.length} artifacts, ${interactions.length} interactions`);
}
