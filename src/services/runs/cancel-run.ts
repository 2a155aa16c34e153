import type { Owner } from "#core/owner";
import type { Services } from "../services";
import type { RunRow } from "#store/rows";
import type { CanceledChild } from "#store/children";
import { childrenEnded } from "#core/wake-ups";
import { wakeParent } from "./create-children";
import type { RequestCompletion } from "../idempotency/complete-key";
import { withRetry } from "#core/retry";
import { announceEvents, startNext, wake } from "../wake";
import { findRun, stateConflict } from "./runs";
import { presentRun } from "./present-run";
import type { PresentedRun } from "./schema";
import { assertAllows } from "./states";

/** Ends a run, its children and their open interactions. Calls in flight write nothing afterwards. */
export async function cancelRun(
  services: Services,
  { owner, id }: { owner: Owner; id: string },
  completion?: RequestCompletion,
): Promise<PresentedRun> {
  const before = await findRun(services, owner, id);
  assertAllows("cancel", before);
  const run = await cancelAndWake(services, { owner, id }, completion);
  if (!run) throw await stateConflict(services, before, "cancel");
  await startNext(services, owner.tenant_id);
  await announceEvents(services, run, "run.canceled");
  return withRetry(() => presentRun(services, run));
}

/** Wakes the instances of canceled runs, in the epoch before, whatever they wait for: they find themselves superseded. */
export async function wakeCanceled(
  services: Pick<Services, "platform">,
  canceled: readonly CanceledChild[],
): Promise<void> {
  for (const { id, epoch, paused, pauses, interactions } of canceled)
    await wake(services, { id, epoch: epoch - 1 }, [...interactions, ...(paused ? [`resume_${pauses}`] : [])]);
}

/** Cancels a run and wakes its instance. @returns the canceled run; null when it had ended already */
export async function cancelAndWake(
  services: Pick<Services, "store" | "platform">,
  { owner, id }: { owner: Owner; id: string },
  completion?: RequestCompletion,
): Promise<RunRow | null> {
  const canceled = await services.store.runs.cancel(owner, id, completion);
  if (!canceled) return null;
  const { run, interactions, children } = canceled;
  await wakeCanceled(services, [{ ...run, interactions }, ...children]);
  if (run.awaits_children) await wake(services, { id: run.id, epoch: run.epoch - 1 }, [childrenEnded(run.child_waits)]);
  if (run.parent_id !== null) await wakeParent(services, run.parent_id);
  return run;
}
