/** Archives of long runs, several archives at once, and children that are archived after their parent. */
import { expect, it, vi } from "vitest";
import { archiveNow, EACH_WORKFLOW, rowsIn, storedRows } from "../../../support/archived";
import { newDataset, questions, trialsOf } from "../../../support/experiments";
import { withFaults } from "../../../support/faults";
import { bindings, until } from "../../../support/parley";
import { rowOf, setUpRuns } from "../../../support/runs";
import { archiveRuns } from "#services/maintenance/archive-runs";
import type { Settings } from "#services/settings";
import { RunArchives } from "#store/archive/archives";
import { Store } from "#store/store";

const { client, runToEnd } = setUpRuns();
const store = new Store(bindings.DB, bindings.BUCKET);
const DAY = 24 * 60 * 60_000;
const settings = { archive_after_ms: 10 * DAY } as Settings;

/** A completed run with many artifacts: a restore takes several batches. */
async function longRun(artifacts: number): Promise<string> {
  const { id } = await runToEnd(EACH_WORKFLOW.plain!);
  const { results } = await bindings.DB.prepare("PRAGMA table_info(artifacts)").all<{ name: string }>();
  const others = results.map(({ name }) => name).filter((name) => name !== "id" && name !== "step");
  await bindings.DB.prepare(
    `INSERT INTO artifacts (id, step, ${others.join(", ")})
     WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
     SELECT a.id || '_' || i, a.step || '#' || i, ${others.map((name) => `a.${name}`).join(", ")}
     FROM n, (SELECT * FROM artifacts WHERE run_id = ?1 LIMIT 1) a`,
  )
    .bind(id, artifacts)
    .run();
  return id;
}

it("a run of 2,500 artifacts is restored in bounded batches, whichever call fails", async () => {
  const id = await longRun(2500);
  await archiveNow(store, id);
  await store.archive.restore(await rowOf(id));
  const rows = await storedRows(id);
  const sizes: number[] = [];
  for (const fieldError of ["before", "after"] as const)
    for (const at of [1, 9, 27, 29]) {
      await archiveNow(store, id);
      let calls = 0;
      const env = withFaults(bindings, () => (calls++ === at ? fieldError : "ok"));
      const counted = new Proxy(env.DB, {
        get: (db, name) =>
          name === "batch"
            ? (statements: D1PreparedStatement[]) => {
                sizes.push(statements.length);
                return db.batch(statements);
              }
            : Reflect.get(db, name).bind?.(db),
      });
      const failed = await new Store(counted, env.BUCKET).archive.restore(await rowOf(id)).catch(() => "failed");
      const { archive_key } = await rowOf(id);
      if (failed && archive_key !== null) {
        // Readers see the archive, and nothing twice.
        const listed = await store.artifacts.provenance(id);
        expect(new Set(listed.map((one) => one.id)).size).toBe(listed.length);
        expect(listed.length).toBeGreaterThan(2500);
        await store.archive.restore(await rowOf(id));
      }
      expect(await storedRows(id)).toEqual(rows);
    }
  expect(Math.max(...sizes)).toBeLessThan(150);
}, 120_000);

it("the maintenance worker removes what a restore left that was cut off", async () => {
  const id = await longRun(250);
  await archiveNow(store, id);
  let batches = 0;
  const db = new Proxy(bindings.DB, {
    get: (inner, name) => {
      if (name === "batch" && ++batches === 3) throw new Error("D1_ERROR: Network connection lost.");
      return Reflect.get(inner, name).bind?.(inner);
    },
  });
  await expect(new Store(db, bindings.BUCKET).archive.restore(await rowOf(id))).rejects.toThrow();
  expect((await rowsIn(id)).artifacts).toBeGreaterThan(0);
  await archiveRuns({ store, settings: { archive_after_ms: null } as Settings }, Date.now());
  expect((await rowsIn(id)).artifacts).toBeGreaterThan(0); // the restore may be under way
  await archiveRuns({ store, settings: { archive_after_ms: null } as Settings }, Date.now() + 2 * 60 * 60_000);
  expect(await rowsIn(id)).toMatchObject({ artifacts: 0, events: 0 });
  expect(await rowOf(id)).toMatchObject({ archive_base: null });
  expect((await store.artifacts.provenance(id)).length).toBeGreaterThan(250);
});

it("unpacks one archive at a time, and keeps the last one for the next page", async () => {
  const runs: { id: string; archive_key: string }[] = [];
  for (let n = 0; n < 3; n++) {
    const { id } = await runToEnd(EACH_WORKFLOW.plain!);
    await archiveNow(store, id);
    runs.push({ id, archive_key: (await rowOf(id)).archive_key! });
  }
  let open = 0;
  let most = 0;
  let unpacked = 0;
  const Real = DecompressionStream;
  vi.stubGlobal(
    "DecompressionStream",
    class {
      readonly readable: ReadableStream;
      readonly writable: WritableStream;
      constructor(format: "gzip") {
        const inner = new Real(format);
        most = Math.max(most, ++open);
        unpacked++;
        this.writable = inner.writable;
        this.readable = inner.readable.pipeThrough(new TransformStream({ flush: () => void open-- }));
      }
    },
  );
  try {
    const archives = new RunArchives(bindings.DB, bindings.BUCKET);
    await archives.ofAll(runs, ({ events }) => events);
    expect([most, unpacked]).toEqual([1, 3]);
    await archives.read(runs[2]!);
    expect(unpacked).toBe(3);
  } finally {
    vi.unstubAllGlobals();
  }
});

it("archives a child whose archiving failed once, though its parent was archived meanwhile", async () => {
  const { id } = await runToEnd({
    workflow: "experiment",
    input: {
      title: "One",
      dataset_id: await newDataset(client.test, questions(2)),
      variants: [
        { name: "one-call", workflow: "plain" },
        { name: "open", workflow: "plain", options: { form: "text" } },
      ],
    },
    options: { repetitions: 1 },
  });
  const [child] = (await trialsOf(client.test, id)).map((run) => run.id as string);
  const now = Date.now();
  await bindings.DB.prepare("UPDATE runs SET finished_at = ?2 WHERE id = ?1 OR parent_id = ?1")
    .bind(id, now - 11 * DAY)
    .run();
  await store.archive.postpone({ id: child! }, now - 9 * DAY);
  await until("the parent is archived", async () => {
    await archiveRuns({ store, settings }, Date.now());
    return (await rowOf(id)).archive_key !== null;
  });
  expect((await rowOf(child!)).archive_key).toBeNull();
  expect(await store.archive.nextDue(0)).toBeLessThanOrEqual(now - 9 * DAY);
  await archiveRuns({ store, settings }, Date.now() + 2 * DAY);
  expect((await rowOf(child!)).archive_key).not.toBeNull();
});
