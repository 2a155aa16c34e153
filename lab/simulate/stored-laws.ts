// SQL and not src/store: the laws on what is stored must not rest on the code that they judge.
import type { DatabaseSync } from "node:sqlite";

/** Laws on what is stored at the end, read from the database itself. */

/** A world, as far as these laws look at it. */
interface Stored {
  storage: { d1: DatabaseSync };
}

/** @returns violations */
export const judgeStored = (world: Stored): string[] => [
  ...fenced(world),
  ...once(world),
  ...consistent(world),
  ...trees(world),
];

/** An artifact is written in the epoch that its run is in: each cancel and each retry begins a new one. */
function fenced({ storage }: Stored) {
  const rows = storage.d1
    .prepare(
      `SELECT a.run_id, a.step, a.epoch, (SELECT COUNT(*) + 1 FROM events p WHERE p.run_id = e.run_id AND p.seq < e.seq
         AND p.type IN ('run.canceled', 'run.retried')) AS due
       FROM events e JOIN artifacts a ON a.id = e.data ->> '$.artifact_id' WHERE e.type = 'run.artifact_created'`,
    )
    .all();
  return rows
    .filter(({ epoch, due }) => epoch !== due)
    .map(
      ({ run_id, step, epoch, due }) =>
        `${run_id} was in epoch ${due}, and an instance of epoch ${epoch} wrote the artifact of ${step}`,
    );
}

/** One POST of a run made one run. */
function once({ storage }: Stored) {
  const rows = storage.d1
    .prepare(
      "SELECT metadata ->> '$.run' AS name, COUNT(*) AS count FROM runs WHERE metadata ->> '$.run' IS NOT NULL GROUP BY 1 HAVING COUNT(*) > 1",
    )
    .all();
  return rows.map(({ name, count }) => `${name} was created ${count} times`);
}

/** References hold, and every content in the bucket has its row, or is noted for removal. */
function consistent({ storage }: Stored) {
  const broken = storage.d1.prepare("PRAGMA foreign_key_check").all();
  return broken.map(({ table, parent }) => `a row of ${table} refers to a row of ${parent} that does not exist`);
}

/** Tables whose rows belong to a run, and go with it. */
const OF_RUNS = ["interactions", "artifacts", "stages", "events", "run_trees", "run_datasets", "deliveries"];

/** A trial is one run, no child outlives its parent, and nothing of a removed run is left. */
function trees({ storage }: Stored) {
  const all = (sql: string) => storage.d1.prepare(sql).all();
  const doubled = all(
    `SELECT parent_id, child_group, child_key, COUNT(*) AS count FROM runs WHERE parent_id IS NOT NULL
     GROUP BY 1, 2, 3 HAVING COUNT(*) > 1`,
  );
  const left = OF_RUNS.flatMap((table) =>
    all(`SELECT DISTINCT run_id FROM ${table} WHERE run_id NOT IN (SELECT id FROM runs)`).map(
      ({ run_id }) => `${run_id} was removed, and rows of ${table} are left`,
    ),
  );
  const lost = all("SELECT id, parent_id FROM runs WHERE parent_id NOT IN (SELECT id FROM runs)");
  return [
    ...doubled.map(
      ({ parent_id, child_group, child_key, count }) =>
        `${parent_id} has ${count} children ${child_key} in ${child_group}`,
    ),
    ...leftBehind(storage),
    ...lost.map(({ id, parent_id }) => `${parent_id} was removed, and its child ${id} is left`),
    ...left,
  ];
}

/** Children that are alive although their parent has ended. */
export const leftBehind = ({ d1 }: Stored["storage"]) =>
  d1
    .prepare(
      `SELECT c.id, p.id AS parent, p.phase FROM runs c JOIN runs p ON p.id = c.parent_id
       WHERE c.phase IN ('queued', 'running') AND p.phase NOT IN ('queued', 'running')`,
    )
    .all()
    .map(({ id, parent, phase }) => `the child ${id} is alive, and its parent ${parent} is ${phase}`);
