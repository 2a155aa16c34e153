import type { Owner } from "#core/owner";
import type { Services } from "./services";

/** The maintenance worker waits with archiving a restored run as if it had just ended: a second restore is rare, a third needs several accidents. */
const MAX_RESTORES = 3;

/**
 * Writes to a run that may be archived: its rows are restored first.
 * @param write changes nothing, and says so with null, while the run is archived
 */
export async function withRestoredRun<T>(
  { store }: Pick<Services, "store">,
  owner: Owner,
  run: string,
  write: () => Promise<T | null>,
): Promise<T | null> {
  for (let restores = 0; restores < MAX_RESTORES; restores++) {
    const row = await store.runs.get(owner, run);
    if (row) await store.archive.restore(row);
    const written = await write();
    if (written !== null) return written;
    if (!(await store.runs.get(owner, run))?.archive_key) return null;
  }
  return null;
}
