import type { Owner } from "#core/owner";
import type { Services } from "../services";
import type { Settlement } from "../idempotency/settle-key";
import { withRetry } from "#core/retry";
import { wakeSenders, wake } from "../wake";
import { findRun, stateConflict } from "./find-run";
import { presentRun } from "./present-run";
import type { PresentedRun } from "./schema";
import { assertAllows } from "./states";

/** Ends a pause. */
export async function resumeRun(
  services: Services,
  { owner, id }: { owner: Owner; id: string },
  settlement?: Settlement,
): Promise<PresentedRun> {
  const before = await findRun(services, owner, id);
  assertAllows("resume", before);
  const run = await services.store.runs.setPaused(owner, id, false, settlement);
  if (!run) throw await stateConflict(services, before, "resume");
  await wake(services, run, [`resume_${run.pauses}`]);
  await wakeSenders(services, run, "run.resumed");
  return withRetry(() => presentRun(services, run));
}
