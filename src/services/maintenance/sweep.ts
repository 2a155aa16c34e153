import { problemObject } from "#core/errors";
import { log } from "#core/log";
import { removeRun } from "../runs/remove-run";
import type { Services } from "../services";
import { sleep } from "#core/retry";
import { stallCause } from "./stall-cause";
import type { InteractionRow, RunRow } from "#store/rows";
import type { StallingRun } from "#store/maintenance";
import { reportEnds } from "../telemetry/report-ends";
import { removeTenant } from "../tenants/remove-tenant";

/** How many rows of each kind one sweep handles; the next sweep handles the rest. */
const BATCH = 200;
/** Smaller, because removing a run takes several round trips, and one for each of its instances. */
const REMOVAL_BATCH = 50;
const TENANT_BATCH = 5;
/** Passages of deleted corpora and runs. */
const STRAY_PASSAGE_BATCH = 2000;
/** A younger wake-up may not have arrived yet. Milliseconds. */
const WAKE_UP_MS = 1500;
/** How often the instance of a paused run, or of one that waits for a person, is checked. Milliseconds. */
const WAITING_NUDGE_MS = 60 * 60_000;
/** Later than every heartbeat, also one in the future: a run that announces a silence sets its heartbeat ahead. */
const ALWAYS = Number.MAX_SAFE_INTEGER;

type SweepServices = Pick<Services, "store" | "platform" | "vectors" | "settings">;

/**
 * One round of the keeper: settles expired interactions, repeats lost wake-ups, starts queued runs whose turn has come, creates or
 * nudges instances of silent runs, wakes due webhook senders and corpus indexers, removes expired and orphaned rows, and reports ended runs.
 * @param nudgeAll nudge all runs, not only the silent ones: after a server start any run may have been cut off
 * @returns whether there is more work for the keeper
 */
export async function sweep(services: SweepServices, { nudgeAll }: { nudgeAll: boolean }): Promise<boolean> {
  const { store, platform, settings } = services;
  const now = Date.now();
  const wake = (row: InteractionRow) => platform.sendEvent({ id: row.run_id, epoch: row.epoch }, row.id);

  const { expired, unacknowledged } = await store.interactions.expireDue(now, now - WAKE_UP_MS, BATCH);
  await each(expired, wake);
  await each(unacknowledged, async (row) => {
    await wake(row);
    if (row.status === "canceled") await store.interactions.acknowledge(row.id); // its instance has ended and cannot acknowledge
  });

  await each(await store.queue.tenants(), async (tenant) => {
    await each(await store.queue.admit(tenant.id, settings.max_concurrent_runs), (run) => platform.createInstance(run));
  });

  const silentSince = nudgeAll ? ALWAYS : now - settings.nudge_after_ms;
  const waitingSince = nudgeAll ? ALWAYS : now - WAITING_NUDGE_MS;
  await each(await store.maintenance.nudgeStale(silentSince, waitingSince, BATCH), (run) => revive(services, run));
  await each(await store.maintenance.stalling(now - settings.stalled_after_ms, BATCH), (run) =>
    reportStall(services, run),
  );

  await platform.wakeWebhookSenders(await store.webhooks.endpointsDue(now, BATCH));
  await platform.wakeIndexers(await store.corpora.due(silentSince, BATCH));
  await each(await store.tenants.removed(TENANT_BATCH), ({ id }) => removeTenant(services, id, REMOVAL_BATCH));
  if (settings.retention_ms !== null) {
    await removeOld(services, now - settings.retention_ms);
    await store.webhooks.removeBefore(now - settings.retention_ms, BATCH);
  }
  await store.idempotency.removeExpired(now, BATCH);
  await store.contents.removeOrphans(now);
  await store.passages.deleteStrayPools(STRAY_PASSAGE_BATCH);
  await removeStrayVectors(services);
  await reportEnds(services, { now, limit: BATCH });
  return Object.values(await store.maintenance.remainingWork()).some(Boolean);
}

/** Handles each row. A failure is logged, and the next sweep tries that row again. */
async function each<Row extends { id: string }>(
  rows: readonly Row[],
  fn: (row: Row) => Promise<unknown>,
): Promise<void> {
  for (const row of rows) {
    // In a single-process deployment ready work runs before timers and sockets: the pause lets those proceed.
    await sleep(1);
    try {
      await fn(row);
    } catch (error) {
      log.error("the keeper could not repair this, and will try again", { id: row.id, error });
    }
  }
}

/** Removes runs that ended before `before`, like DELETE. */
async function removeOld(services: SweepServices, before: number): Promise<void> {
  await each(await services.store.maintenance.endedBefore(before, REMOVAL_BATCH), async (run) => {
    if (await removeRun(services, run))
      log.info("run was removed for its age", { run_id: run.id, tenant_id: run.tenant_id });
  });
}

/** Writes the event that a run stalls, with the cause if it is known. */
async function reportStall({ store, platform }: SweepServices, run: StallingRun): Promise<void> {
  const stall = stallCause(run, await platform.instanceStatus(run));
  await store.maintenance.markStalled(run, stall);
  log.warn("run stalls", { run_id: run.id, tenant_id: run.tenant_id, ...stall });
}

/** Creates a missing instance, or nudges the existing one: that revives it after a crash and has no effect on a live one. */
async function revive({ store, platform }: SweepServices, run: RunRow): Promise<void> {
  const state = await platform.instanceStatus(run);
  if (state === "missing") return platform.createInstance(run);
  if (state === "errored" || state === "terminated" || state === "complete") {
    const detail = `The instance that played the run ended as ${state} before the run did; retry continues from its last finished act.`;
    return store.instances.writeEnd(
      run.id,
      run.epoch,
      { phase: "failed", error: problemObject("internal_error", detail) },
      null,
    );
  }
  await platform.sendEvent(run, "nudge");
  if (run.pauses && !run.paused) await platform.sendEvent(run, `resume_${run.pauses}`); // the resume may have been lost
}

/** Removes vectors of deleted passages from Vectorize; without that binding they stay listed until there is one. */
async function removeStrayVectors({ store, vectors }: SweepServices): Promise<void> {
  if (!vectors) return;
  const names = await store.passages.strayVectors(BATCH);
  if (names.length === 0) return;
  await vectors.remove(names);
  await store.passages.deleteStrayVectors(names);
}
