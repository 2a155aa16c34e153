import { log } from "#core/log";
import { leaseOf } from "#llm/limits/acquire-permit";
import type { RequestCompletion } from "../idempotency/complete-key";
import type { Services } from "../services";
import type { RunRow } from "#store/rows";

/**
 * Removes a finished run with everything that it stored: its instances first, so that after a failure the row is still there for a retry.
 * The batch that deletes the rows records the R2 objects as orphaned; the caller must have armed the maintenance worker, or be the maintenance worker.
 * @returns false when the run has not ended
 */
export async function removeRun(
  { store, platform, settings }: Pick<Services, "store" | "platform" | "settings">,
  run: RunRow,
  completion?: RequestCompletion,
): Promise<boolean> {
  await platform.deleteInstances(run);
  if (!(await store.runs.remove(run, completion))) return false;
  await returnPermits({ platform, settings }, run);
  try {
    await store.runs.removeObjects(run);
  } catch (error) {
    log.warn("removing objects failed; the maintenance worker will do it", {
      run_id: run.id,
      tenant_id: run.tenant_id,
      error,
    });
  }
  return true;
}

/** Returns the permits of calls that were under way when the run was canceled. Only of a removed run: a retry could have begun calls meanwhile. */
async function returnPermits(
  { platform, settings }: Pick<Services, "platform" | "settings">,
  run: RunRow,
): Promise<void> {
  const { finished_at } = run;
  const mayCall = finished_at === null || finished_at + leaseOf(settings.llm_timeout_ms) > Date.now();
  if (mayCall) await platform.returnPermits(run);
}
