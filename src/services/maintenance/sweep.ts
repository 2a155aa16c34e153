import type { Settings } from "../settings";
import { problemObject } from "#core/errors";
import { log } from "#core/log";
import { removeRun } from "../runs/remove-run";
import type { VectorIndex } from "#retrieval/vector-index";
import type { Platform } from "../platform";
import { sleep } from "#core/retry";
import { stallCause } from "./stall-cause";
import type { InteractionRow, RunRow } from "#store/rows";
import type { StallingRun } from "#store/maintenance";
import type { Store } from "#store/store";
import { reportEnds } from "../telemetry/report-ends";
import { removeTenant } from "../tenants/remove-tenant";

/** How many rows of one sort a sweep takes; the rest is the next sweep's. */
const AT_ONCE = 200;
/** Removing a run takes several round trips, and one for each of its instances. */
const REMOVED_AT_ONCE = 50;
const TENANTS_AT_ONCE = 5;
/** A wake-up younger than this may still be on its way. Milliseconds. */
const ON_ITS_WAY = 1500;
/** How often the instance of a run that waits for a person, or is paused, is looked at. Milliseconds. */
const WAITING_NUDGE_MS = 60 * 60_000;
/** A run that said it would be quiet for a while has a sign of life in the future. */
const EVER = Number.MAX_SAFE_INTEGER;

/** Passages of corpora and runs that are gone. */
const STRAYS_AT_ONCE = 2000;

/**
 * One round of the keeper: settles expired interactions, wakes who was not woken, starts runs whose turn has come, starts or nudges
 * runs that stand still, calls senders of webhooks and indexers of corpora that are due, and removes orphans.
 * @param everyone nudge all runs, not only the silent ones: after a start of the server any may have been cut off
 * @returns whether anything is left to look after
 */
export async function sweep(
  store: Store,
  platform: Platform,
  vectors: VectorIndex | null,
  settings: Settings,
  everyone: boolean,
): Promise<boolean> {
  const now = Date.now();
  const wake = (row: InteractionRow) => platform.sendEvent({ id: row.run_id, epoch: row.epoch }, row.id);

  const { expired, unacknowledged } = await store.interactions.expireDue(now, now - ON_ITS_WAY, AT_ONCE);
  await each(expired, wake);
  await each(unacknowledged, async (row) => {
    await wake(row);
    if (row.status === "canceled") await store.interactions.acknowledge(row.id); // its instance ends, and says nothing
  });

  await each(await store.queue.tenants(), async (tenant) => {
    await each(await store.queue.admit(tenant.id, settings.max_concurrent_runs), (run) => platform.createInstance(run));
  });

  const silentSince = everyone ? EVER : now - settings.nudge_after_ms;
  const waitingSince = everyone ? EVER : now - WAITING_NUDGE_MS;
  await each(await store.maintenance.nudgeStale(silentSince, waitingSince, AT_ONCE), (run) =>
    revive(store, platform, run),
  );
  await each(await store.maintenance.stalling(now - settings.stalled_after_ms, AT_ONCE), (run) =>
    reportStall(store, platform, run),
  );

  await platform.wakeWebhookSenders(await store.webhooks.endpointsDue(now, AT_ONCE));
  await platform.wakeIndexers(await store.corpora.due(silentSince, AT_ONCE));
  await each(await store.tenants.removed(TENANTS_AT_ONCE), ({ id }) =>
    removeTenant({ store, platform }, id, REMOVED_AT_ONCE),
  );
  if (settings.retention_ms !== null) {
    await removeOld(store, platform, now - settings.retention_ms);
    await store.webhooks.removeBefore(now - settings.retention_ms, AT_ONCE);
  }
  await store.idempotency.removeExpired(now, AT_ONCE);
  await store.contents.removeOrphans(now);
  await store.passages.deleteStrayPools(STRAYS_AT_ONCE);
  await removeStrayVectors(store, vectors);
  await reportEnds(store, platform, { otlp: settings.otlp, code_version: settings.version }, now, AT_ONCE);
  return Object.values(await store.maintenance.remainingWork()).some(Boolean);
}

/** One that fails does not keep the others from their turn; the next sweep tries it again. */
async function each<Row extends { id: string }>(
  rows: readonly Row[],
  fn: (row: Row) => Promise<unknown>,
): Promise<void> {
  for (const row of rows) {
    // What is ready in one process is done before its timers and sockets are looked at: many rows must not hold those up.
    await sleep(1);
    try {
      await fn(row);
    } catch (error) {
      log.error("the keeper could not mend this, and will try again", { id: row.id, error });
    }
  }
}

/** Removes runs that ended before `before`, as DELETE does. */
async function removeOld(store: Store, platform: Platform, before: number): Promise<void> {
  await each(await store.maintenance.endedBefore(before, REMOVED_AT_ONCE), async (run) => {
    if (await removeRun({ store, platform }, run))
      log.info("run was removed for its age", { run_id: run.id, tenant_id: run.tenant_id });
  });
}

/** Says once that a run stalls, and why as far as can be known. */
async function reportStall(store: Store, platform: Platform, run: StallingRun): Promise<void> {
  const because = stallCause(run, await platform.instanceStatus(run));
  await store.maintenance.markStalled(run, because);
  log.warn("run stalls", { run_id: run.id, tenant_id: run.tenant_id, ...because });
}

/** Nudges a run's instance, which revives one that a crash left standing and does nothing to a live one; or makes what is missing. */
async function revive(store: Store, platform: Platform, run: RunRow): Promise<void> {
  const state = await platform.instanceStatus(run);
  if (state === "missing") return platform.createInstance(run);
  if (state === "errored" || state === "terminated" || state === "complete") {
    const detail = `The instance that played the run ended as ${state} before the run did; retry goes on from its last finished act.`;
    return store.instances.writeEnd(
      run.id,
      run.epoch,
      { phase: "failed", error: problemObject("internal_error", detail) },
      null,
    );
  }
  await platform.sendEvent(run, "nudge");
  if (run.pauses && !run.paused) await platform.sendEvent(run, `resume_${run.pauses}`); // a lost resume
}

/** Removes vectors outside whose passages are gone. Without a binding they wait for one. */
async function removeStrayVectors(store: Store, vectors: VectorIndex | null): Promise<void> {
  const names = vectors ? await store.passages.strayVectors(AT_ONCE) : [];
  if (names.length === 0) return;
  await vectors!.remove(names);
  await store.passages.deleteStrayVectors(names);
}
