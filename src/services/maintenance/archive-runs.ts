import { log } from "#core/log";
import { sleep } from "#core/retry";
import type { RunRow } from "#store/rows";
import type { Services } from "../services";

/** Runs that one pass archives at most. */
const BATCH = 100;
/** A pass begins no further run after this time. Milliseconds. */
const MAX_DURATION_MS = 3000;
/** How long a run waits that could not be archived. Milliseconds. */
const PAUSE_MS = 60 * 60_000;
/** How long one waits that is too large: until the next version may take it. Milliseconds. */
const LONG_PAUSE_MS = 30 * 24 * 60 * 60_000;

/** A restore that began longer ago was cut off. Milliseconds. */
export const MAX_RESTORE_MS = 60 * 60_000;

/**
 * Removes what restores left that were cut off. Archives runs that ended long ago, children before their parents. One that fails waits, and holds up no other but its parent.
 * @param now milliseconds since the epoch
 */
export async function archiveRuns(
  { store, settings: { archive_after_ms } }: Pick<Services, "store" | "settings">,
  now: number,
): Promise<void> {
  await store.archive.removeHalfRestored(now - MAX_RESTORE_MS, BATCH);
  if (archive_after_ms === null) return;
  const before = now - archive_after_ms;
  const postpone = (run: RunRow, pause: number) => store.archive.postpone(run, before + pause);
  const held = new Set<string>(); // parents whose children are not archived yet
  for (const run of await store.archive.due(before, BATCH)) {
    if (Date.now() - now > MAX_DURATION_MS) return;
    if (held.has(run.id)) continue;
    await sleep(1); // lets requests proceed, like the rest of the pass
    try {
      const outcome = await store.archive.archive(run);
      if (outcome === "too_large") {
        log.warn("a run is too large for an archive, and stays in D1", { run_id: run.id, tenant_id: run.tenant_id });
        await postpone(run, LONG_PAUSE_MS);
      } else if (outcome === "changed" && run.parent_id !== null) held.add(run.parent_id);
    } catch (error) {
      log.error("a run was not archived, and will be tried again", { run_id: run.id, tenant_id: run.tenant_id, error });
      if (run.parent_id !== null) held.add(run.parent_id);
      await postpone(run, PAUSE_MS);
    }
  }
}
