import { globSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Artifacts that an instance wrote after its run had gone on to another epoch; the API does not show epochs. */
const LATE = `SELECT a.run_id, a.act, a.epoch, json_extract(r.data, '$.epoch') AS retried FROM artifacts a
  JOIN events made ON made.run_id = a.run_id AND made.type = 'run.artifact_created' AND json_extract(made.data, '$.artifact_id') = a.id
  JOIN events r ON r.run_id = a.run_id AND r.type = 'run.retried' AND r.seq < made.seq AND json_extract(r.data, '$.epoch') > a.epoch`;

/**
 * The fence: no instance writes into a later epoch than its own. Reads the database of a stopped server.
 * @param {string} state the server's folder
 * @returns {string[]} violations
 */
export function keepsEpochs(state) {
  const files = globSync(join(state, "**/d1/**/*.sqlite")).filter((file) => !file.includes("metadata"));
  return files.flatMap((file) => {
    const db = new DatabaseSync(file);
    try {
      const late = db.prepare(LATE).all();
      return late.map(
        ({ run_id, act, epoch, retried }) => `${run_id}: ${act} of epoch ${epoch} was written in epoch ${retried}`,
      );
    } finally {
      db.close();
    }
  });
}
