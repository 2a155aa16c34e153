/** Laws on what is stored at the end, read from the database itself. */

/**
 * @param {import("./world.mjs").World} world
 * @returns {string[]} violations
 */
export const judgeStored = (world) => [...fenced(world), ...once(world), ...consistent(world)];

/** An artifact is written in the epoch that its run is in: each cancel and each retry begins a new one. */
function fenced({ storage }) {
  const rows = storage.d1
    .prepare(
      `SELECT a.run_id, a.act, a.epoch, (SELECT COUNT(*) + 1 FROM events p WHERE p.run_id = e.run_id AND p.seq < e.seq
         AND p.type IN ('run.canceled', 'run.retried')) AS due
       FROM events e JOIN artifacts a ON a.id = e.data ->> '$.artifact_id' WHERE e.type = 'run.artifact_created'`,
    )
    .all();
  return rows
    .filter(({ epoch, due }) => epoch !== due)
    .map(
      ({ run_id, act, epoch, due }) =>
        `${run_id} was in epoch ${due}, and an instance of epoch ${epoch} wrote the artifact of ${act}`,
    );
}

/** One POST of a run made one run. */
function once({ storage }) {
  const rows = storage.d1
    .prepare(
      "SELECT metadata ->> '$.run' AS name, COUNT(*) AS count FROM runs WHERE metadata ->> '$.run' IS NOT NULL GROUP BY 1 HAVING COUNT(*) > 1",
    )
    .all();
  return rows.map(({ name, count }) => `${name} was created ${count} times`);
}

/** References hold, and every content in the bucket has its row, or is noted for removal. */
function consistent({ storage }) {
  const broken = storage.d1.prepare("PRAGMA foreign_key_check").all();
  return broken.map(({ table, parent }) => `a row of ${table} refers to a row of ${parent} that does not exist`);
}
