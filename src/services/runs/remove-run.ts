import { log } from "#core/log";
import type { Services } from "../services";
import type { RunRow } from "#store/rows";

/**
 * Removes a finished run with everything that it stored: its instances first, so that a failure leaves a row to remove again. What it
 * leaves in R2 is noted as orphaned in the same batch as its rows go, so whoever calls this has armed the keeper, or is it.
 * @returns false when the run has not ended
 */
export async function removeRun(
  { store, platform }: Pick<Services, "store" | "platform">,
  run: RunRow,
): Promise<boolean> {
  await platform.deleteInstances(run);
  if (!(await store.runs.remove(run))) return false;
  try {
    await store.runs.removeObjects(run);
  } catch (error) {
    log.warn("removing objects failed; the keeper will do it", { run_id: run.id, tenant_id: run.tenant_id, error });
  }
  return true;
}
