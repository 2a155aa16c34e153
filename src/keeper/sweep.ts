import type { Settings } from "../env";
import { problemObject } from "../errors";
import type { Platform } from "../services";
import type { RunRow } from "../store/rows";
import type { Store } from "../store/store";

/** How many rows of one sort a sweep takes; the rest is the next sweep's. */
const AT_ONCE = 200;
/** A wake-up younger than this may still be on its way. Milliseconds. */
const ON_ITS_WAY = 1500;

/**
 * One round of the keeper: settles expired interactions, wakes who was not woken, starts or nudges runs that stand still, calls
 * senders of webhooks that are due, and removes orphans.
 * @param everyone nudge all runs, not only the silent ones: after a start of the server any may have been cut off
 * @returns whether anything is left to look after
 */
export async function sweep(store: Store, platform: Platform, settings: Settings, everyone: boolean): Promise<boolean> {
  const now = Date.now();
  for (const row of await store.interactions.expire(now))
    await platform.wake({ id: row.run_id, epoch: row.epoch }, row.id);
  await wakeAgain(store, platform, now);

  const silentSince = everyone ? now : now - settings.nudge_after_ms;
  for (const run of await store.runs.stale(silentSince, AT_ONCE)) await revive(store, platform, run);
  await store.runs.markStalled(now - settings.stalled_after_ms);

  await platform.deliver(await store.webhooks.endpointsDue(now, AT_ONCE));
  await store.contents.removeOrphans(now);
  return (await store.runs.anyAlive()) || (await store.webhooks.anyPending()) || (await store.contents.anyOrphans());
}

/** Re-sends settled interactions to the instance of their epoch until it acknowledges them, or is no more. */
async function wakeAgain(store: Store, platform: Platform, now: number): Promise<void> {
  for (const row of await store.interactions.unacknowledged(now - ON_ITS_WAY, AT_ONCE)) {
    const woken = await platform.wake({ id: row.run_id, epoch: row.epoch }, row.id);
    if (!woken || row.status === "canceled") await store.interactions.acknowledge(row.id);
  }
}

/** Nudges a run's instance, which revives one that a crash left standing and does nothing to a live one; or makes what is missing. */
async function revive(store: Store, platform: Platform, run: RunRow): Promise<void> {
  const state = await platform.state(run);
  if (state === "missing") return platform.start(run);
  if (state === "errored" || state === "terminated" || state === "complete") {
    const detail = `The instance that played the run ended as ${state} before the run did; retry goes on from its last finished act.`;
    return store.runs.end(run.id, run.epoch, { phase: "failed", error: problemObject("internal_error", detail) }, null);
  }
  await platform.wake(run, "nudge");
  if (run.pauses && !run.paused) await platform.wake(run, `resume_${run.pauses}`); // a lost resume
}
