import type { Owner } from "#core/owner";
import type { Services } from "../services";
import type { RequestCompletion } from "../idempotency/complete-key";
import { withRetry } from "#core/retry";
import { announceEvents, startNext, wake } from "../wake";
import { findRun, stateConflict } from "./runs";
import { presentRun } from "./present-run";
import type { PresentedRun } from "./schema";
import { assertAllows } from "./states";

/** Pauses a run, with its children, after its calls in flight, which are finished and stored. */
export async function pauseRun(
  services: Services,
  { owner, id }: { owner: Owner; id: string },
  completion?: RequestCompletion,
): Promise<PresentedRun> {
  const before = await findRun(services, owner, id);
  assertAllows("pause", before);
  const paused = await services.store.runs.setPaused(owner, id, true, completion);
  if (!paused) throw await stateConflict(services, before, "pause");
  const { run } = paused;
  await startNext(services, owner.tenant_id);
  await announceEvents(services, run, "run.paused");
  return withRetry(() => presentRun(services, run));
}

/** Ends a pause of a run and of its children. */
export async function resumeRun(
  services: Services,
  { owner, id }: { owner: Owner; id: string },
  completion?: RequestCompletion,
): Promise<PresentedRun> {
  const before = await findRun(services, owner, id);
  assertAllows("resume", before);
  const resumed = await services.store.runs.setPaused(owner, id, false, completion);
  if (!resumed) throw await stateConflict(services, before, "resume");
  const { run, children } = resumed;
  const running = children.filter(({ queued_at }) => queued_at === null);
  await Promise.all([run, ...running].map((paused) => wake(services, paused, [`resume_${paused.pauses}`])));
  if (children.length > 0) await startNext(services, owner.tenant_id);
  await announceEvents(services, run, "run.resumed");
  return withRetry(() => presentRun(services, run));
}
