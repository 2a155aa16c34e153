// npm run bench -- archive [--runs 1000]: archives so many runs, reads each of them back, and counts bytes. It fails when one is not equal.
import { hash } from "node:crypto";
import type { Store } from "../../src/store/store.ts";
import { say } from "../../scripts/lib/terminal.ts";
import { databaseBytes, fill, openStore, OWNER } from "./stored-runs.ts";

const BEGIN = Date.UTC(2025, 0, 1);
const CONCURRENCY = 500;

/** A hash of all that the store reads of a run. */
async function hashOf(store: Store, id: string) {
  const row = await store.runs.get(OWNER, id);
  if (!row) throw new Error(`There is no run ${id}.`);
  const artifacts = await store.exports.artifacts(id, "", 1000);
  const { archive_key: _, archive_stages: _s, archive_base: _b, input: _i, options: _o, ...own } = row;
  const all = {
    own,
    input: await store.runs.input(row),
    options: await store.runs.options(row),
    stages: await store.stages.newestOfRuns([id]),
    visits: await store.stages.ofRun(id),
    artifacts,
    contents: await Promise.all(artifacts.map((artifact) => store.artifacts.content(artifact))),
    events: await store.events.after(id, 0, 10_000),
    interactions: (await store.interactions.list(OWNER, { run_id: id }, 100, null)).rows,
  };
  return hash("sha256", JSON.stringify(all));
}

/**
 * @param count of runs
 * @param folder for the database and the objects
 */
export async function benchArchive(count: number, folder: string) {
  const { store, sqlite, blobs, firstIdAt } = await openStore(folder);
  const empty = databaseBytes(sqlite);
  fill(sqlite, firstIdAt, count, BEGIN);
  const perRun = () => Math.round((databaseBytes(sqlite) - empty) / count);
  const before = perRun();
  say(`${count} runs take ${before} bytes of the database each.`);
  const hashes = new Map<string, string>();
  let begun = performance.now();
  let archiving = 0;
  for (;;) {
    const due = await store.archive.due(Date.now(), CONCURRENCY);
    if (due.length === 0) break;
    for (const run of due) {
      hashes.set(run.id, await hashOf(store, run.id));
      const start = performance.now();
      const outcome = await store.archive.archive(run);
      archiving += performance.now() - start;
      if (outcome !== "archived") throw new Error(`${run.id} was not archived: ${outcome}`);
    }
    if (hashes.size % 10_000 === 0) say(`${hashes.size} are archived …`);
  }
  if (hashes.size !== count) throw new Error(`${hashes.size} of ${count} runs were archived.`);
  const left = sqlite
    .prepare(
      "SELECT (SELECT COUNT(*) FROM artifacts) + (SELECT COUNT(*) FROM events) + (SELECT COUNT(*) FROM stages) AS rows",
    )
    .get() as { rows: number };
  if (left.rows !== 0) throw new Error(`${left.rows} rows are left.`);
  sqlite.exec("VACUUM");
  const after = perRun();
  begun = performance.now();
  for (const [id, expected] of hashes)
    if ((await hashOf(store, id)) !== expected) throw new Error(`${id} is not read back as it was.`);
  const reading = performance.now() - begun;
  say(
    `${count} archived runs take ${after} bytes of the database each, and ${Math.round(blobs.total() / count)} bytes in R2; 10 GB hold ${Math.floor(1e10 / after)}.`,
  );
  say(
    `Each was read back equal. Archiving took ${(archiving / count).toFixed(1)} ms a run, reading all of a run ${(reading / count).toFixed(1)} ms.`,
  );
  const tables = sqlite
    .prepare("SELECT name, SUM(pgsize) AS bytes FROM dbstat GROUP BY name ORDER BY bytes DESC LIMIT 14")
    .all() as { name: string; bytes: number }[];
  for (const { name, bytes } of tables) say(`  ${name}: ${Math.round(bytes / count)} bytes a run`);
}
