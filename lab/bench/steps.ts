import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Event numbers in the log of the local Workflows: a step's result, and an instance's parameters. */
const STEP_SUCCESS = 6;
const INSTANCE_QUEUED = 0;

/**
 * Bytes of JSON of the largest step result of a run in the log of the local Workflows; null when there is no such log.
 * @param state folder of the server
 */
export function largestStepResult(state: string, run: string) {
  const folder = join(state, "v3/workflows/miniflare-workflows-parley-runs");
  if (!existsSync(folder)) return null;
  const sizes = readdirSync(folder)
    .filter((name) => name.endsWith(".sqlite"))
    .flatMap((name) => resultsOf(join(folder, name), run));
  return sizes.length ? Math.max(...sizes) : null;
}

/** Sizes of the step results of an instance; empty when the instance belongs to another run. */
function resultsOf(file: string, run: string) {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    if (!database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'states'").get()) return [];
    const logged = (event: number) =>
      database
        .prepare("SELECT metadata FROM states WHERE event = ?")
        .all(event)
        .map(({ metadata }) => JSON.parse(String(metadata)));
    if (logged(INSTANCE_QUEUED)[0]?.params?.run_id !== run) return [];
    return logged(STEP_SUCCESS).map(({ result }) => Buffer.byteLength(JSON.stringify(result ?? null)));
  } finally {
    database.close();
  }
}
