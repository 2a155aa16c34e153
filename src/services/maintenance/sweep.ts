import { problemObject } from "#core/errors";
import { log } from "#core/log";
import { wakeStreams } from "../wake";
import { wakeCanceled } from "../runs/cancel-run";
import { removeRun } from "../runs/remove-run";
import type { Services } from "../services";
import { sleep, within } from "#core/retry";
import { childrenEnded } from "#core/wake-ups";
import type { AwaitingParent } from "#store/children";
import type { DueTimes, PartName, DueWork } from "#store/due-work";
import { archiveRuns, MAX_RESTORE_MS } from "./archive-runs";
import { RESEAL_INTERVAL_MS, resealStored } from "./reseal";
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
/** Idempotency keys, which a tenant may make at the rate of its requests. */
const EXPIRED_KEY_BATCH = 2000;
/** Passages of deleted corpora and runs. */
const STRAY_PASSAGE_BATCH = 2000;
/** A younger wake-up may not have arrived yet. Milliseconds. */
const WAKE_UP_MS = 1500;
/** How often the instance of a paused run, or of one that waits for a person, is checked. Milliseconds. */
const WAITING_NUDGE_MS = 60 * 60_000;
/** Objects of deleted runs, corpora and answers. */
const ORPHAN_BATCH = 50;
/** Milliseconds until an object that could not be removed is tried again. */
const ORPHAN_PAUSE_MS = 10 * 60_000;
/** Longest wait for an object to take a wake-up. Milliseconds. */
const WAKE_TIMEOUT_MS = 5000;
/** Later than every heartbeat, also one in the future: a run that announces a silence sets its heartbeat ahead. */
const ALWAYS = Number.MAX_SAFE_INTEGER;

type SweepServices = Pick<Services, "store" | "platform" | "vectors" | "settings" | "secrets">;

/** The outcome of a maintenance pass. */
export interface MaintenanceResult {
  /** Kinds of rows that are left for later passes. */
  remaining: string[];
  /** Parts that failed. */
  failed: string[];
  /** Whether silent runs were nudged. */
  nudged: boolean;
}

type Part = [name: PartName, work: () => Promise<unknown>];

/**
 * One maintenance pass: expires interactions, repeats lost wake-ups, starts queued runs whose turn has come, creates or
 * nudges instances of silent runs, wakes due webhook senders and corpus indexers, removes expired and orphaned rows, archives old runs, seals stored secrets again after a rotation, and reports ended runs.
 * One query tells which parts have anything to do; the others cost nothing. A part that fails is logged, and does not hold up the others.
 * @param startDue starts the runs of schedules; it needs the services of models, which a wrong variable may take away
 * @param nudgeAll nudge all runs, not only the silent ones: after a server start any run may have been cut off
 */
export async function sweep(
  services: SweepServices,
  { nudgeAll, startDue = async () => {} }: { nudgeAll: boolean; startDue?: (now: number) => Promise<void> },
): Promise<MaintenanceResult> {
  const failed: string[] = [];
  const now = Date.now();
  const times = timesOf(services, { now, nudgeAll });
  const surveyed = await dueWorkOf(services, times);
  const schedules: Part = ["schedules", () => startDue(now)];
  const parts = [...partsOf(services, times), schedules];
  const due = surveyed ? parts.filter(([name]) => surveyed.due.includes(name)) : parts;
  for (const [name, work] of due) {
    try {
      await work();
    } catch (error) {
      failed.push(name);
      log.error("a part of the maintenance pass failed, and the next pass does it", { part: name, error });
    }
  }
  const remaining = surveyed && due.length === 0 ? surveyed.remaining : await remainingWork(services);
  return { remaining, failed, nudged: !failed.includes(NUDGE) };
}

/** What the pass has to do; null: D1 does not say, so each part looks for itself. */
async function dueWorkOf({ store }: SweepServices, times: DueTimes): Promise<DueWork | null> {
  try {
    return await store.maintenance.survey(times);
  } catch (error) {
    log.error("the maintenance worker could not read what is due", { error });
    return null;
  }
}

function timesOf(
  { settings, secrets }: SweepServices,
  { now, nudgeAll }: { now: number; nudgeAll: boolean },
): DueTimes {
  const { retention_ms, archive_after_ms } = settings;
  return {
    now,
    silent_since: nudgeAll ? ALWAYS : now - settings.nudge_after_ms,
    waiting_since: nudgeAll ? ALWAYS : now - WAITING_NUDGE_MS,
    stalled_since: now - settings.stalled_after_ms,
    retained_since: retention_ms === null ? null : now - retention_ms,
    archived_before: archive_after_ms === null ? null : now - archive_after_ms,
    restored_before: now - MAX_RESTORE_MS,
    audited_before: now - settings.audit_retention_ms,
    sealed_since: now - RESEAL_INTERVAL_MS,
    sealed_with: JSON.stringify(secrets.keyDates),
  };
}

const NUDGE = "silent runs" satisfies PartName;

function partsOf(services: SweepServices, times: DueTimes): Part[] {
  const { store, platform } = services;
  const { now, silent_since, retained_since } = times;
  const expiries: Part[] =
    retained_since === null
      ? []
      : [
          ["old runs", () => removeOld(services, retained_since)],
          ["old deliveries", () => store.deliveries.removeBefore(retained_since, BATCH)],
        ];
  return [
    ["interactions", () => expireInteractions(services, now)],
    ["reminders", () => remind(services, now)],
    ["queue", () => startQueued(services)],
    [
      NUDGE,
      async () =>
        each(await store.maintenance.nudgeStale(silent_since, times.waiting_since, BATCH), (run) =>
          revive(services, run),
        ),
    ],
    ["parents", async () => each(await store.children.awaitingParents(BATCH), (run) => wakeUp(services, run))],
    [
      "stalled runs",
      async () =>
        each(await store.maintenance.stalling(times.stalled_since, BATCH), (run) => reportStall(services, run)),
    ],
    [
      "webhooks",
      async () => wakeEach(await store.deliveries.endpointsDue(now, BATCH), (ids) => platform.wakeWebhookSenders(ids)),
    ],
    [
      "indexers",
      async () => wakeEach(await store.corpora.due(silent_since, BATCH), (ids) => platform.wakeIndexers(ids)),
    ],
    [
      "removed tenants",
      async () =>
        each(await store.tenants.removed(TENANT_BATCH), ({ id }) => removeTenant(services, id, REMOVAL_BATCH)),
    ],
    ["children of removed runs", () => removeChildren(services)],
    ...expiries,
    ["old runs that move to R2", () => archiveRuns(services, now)],
    ["idempotency keys", () => store.idempotency.removeExpired(now, EXPIRED_KEY_BATCH)],
    ["audit log", () => store.audit.removeBefore(times.audited_before, BATCH)],
    ["orphaned objects", () => removeOrphans(services, now)],
    ["stray passages", () => store.passages.deleteStrayPools(STRAY_PASSAGE_BATCH)],
    ["stray vectors", () => removeStrayVectors(services)],
    ["sealed secrets", () => resealStored(services, now)],
    ["reports", () => reportEnds(services, { now, limit: BATCH })],
  ];
}

/** Kinds of rows that are left; when D1 does not say, there may be any. */
async function remainingWork({ store }: SweepServices): Promise<string[]> {
  try {
    return await store.maintenance.remainingWork();
  } catch (error) {
    log.error("the maintenance worker could not read what work remains", { error });
    return ["unknown"];
  }
}

async function expireInteractions({ store, platform }: SweepServices, now: number): Promise<void> {
  const wake = (row: InteractionRow) =>
    Promise.all([
      platform.sendEvent({ id: row.run_id, epoch: row.epoch }, row.id),
      wakeStreams({ store, platform }, row.run_id),
    ]);
  const { expired, unacknowledged } = await store.interactions.expireDue(now, now - WAKE_UP_MS, BATCH);
  await each(expired, wake);
  await each(unacknowledged, async (row) => {
    await wake(row);
    if (row.status === "canceled") await store.interactions.acknowledge(row.id); // its instance has ended and cannot acknowledge
  });
}

/** Announces questions whose deadline is near; senders are woken by the part for webhooks. */
async function remind({ store, platform }: SweepServices, now: number): Promise<void> {
  await each(await store.interactions.remindDue(now, BATCH), ({ id }) => wakeStreams({ store, platform }, id));
}

async function startQueued({ store, platform, settings }: SweepServices): Promise<void> {
  await each(await store.queue.tenants(), async (tenant) => {
    await each(await store.queue.admit(tenant.id, settings.max_concurrent_runs), (run) => platform.createInstance(run));
  });
}

/** Wakes objects by their ids: one that fails, or does not answer, holds up no other. */
async function wakeEach(ids: readonly string[], wake: (ids: string[]) => Promise<void>): Promise<void> {
  await Promise.all(ids.map((id) => each([{ id }], () => within(WAKE_TIMEOUT_MS, wake([id])))));
}

/** An object that cannot be removed is tried again later, and holds up no other. */
async function removeOrphans({ store }: SweepServices, now: number): Promise<void> {
  await each(await store.contents.orphans(now, ORPHAN_BATCH), async ({ id: key }) => {
    await store.contents.postponeOrphan(key, now + ORPHAN_PAUSE_MS);
    await store.contents.removeOrphan(key);
  });
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
      log.error("the maintenance worker could not repair this, and will try again", { id: row.id, error });
    }
  }
}

/** Repeats the wake-up of a run whose children have all ended. */
async function wakeUp({ platform }: SweepServices, run: AwaitingParent): Promise<void> {
  await platform.sendEvent(run, childrenEnded(run.child_waits));
}

/** Removes the children of removed runs. */
async function removeChildren(services: SweepServices): Promise<void> {
  await each(await services.store.children.ofRemovedParents(REMOVAL_BATCH), (run) => removeRun(services, run));
  await services.store.children.forgetRemovedParents();
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
  await wakeStreams({ store, platform }, run.id);
  log.warn("run stalls", { run_id: run.id, tenant_id: run.tenant_id, ...stall });
}

/** Creates a missing instance, or nudges the existing one: that revives it after a crash and has no effect on a live one. */
async function revive({ store, platform }: SweepServices, run: RunRow): Promise<void> {
  const state = await platform.instanceStatus(run);
  if (state === "missing") return platform.createInstance(run);
  if (state === "errored" || state === "terminated" || state === "complete") {
    const detail = `The instance that executed the run ended as ${state} before the run did; retry continues from its last finished step.`;
    log.error("a run's instance ended before the run did, which fails", {
      run_id: run.id,
      tenant_id: run.tenant_id,
      state,
    });
    const failed = { phase: "failed", error: problemObject("internal_error", detail) } as const;
    const { canceled, followed } = await store.instances.writeEnd(run.id, run.epoch, failed, null);
    if (followed) await platform.announceEvents(run.id);
    return wakeCanceled({ platform }, canceled);
  }
  await platform.sendEvent(run, "nudge");
  if (run.pauses && !run.paused) await platform.sendEvent(run, `resume_${run.pauses}`); // the resume may have been lost
}

/** Removes vectors of deleted passages from Vectorize; without that binding they stay listed until there is one. */
async function removeStrayVectors({ store, vectors }: SweepServices): Promise<void> {
  if (!vectors) return;
  const names = await store.passageVectors.strays(BATCH);
  if (names.length === 0) return;
  await vectors.remove(names);
  await store.passageVectors.deleteStrays(names);
}
