import type { Owner } from "#core/owner";
import { toTime } from "../fields/time";
import type { Services } from "../services";
import { type EventRow, toPage } from "#store/rows";
import type { PresentedEvent } from "./event-schema";
import { findRun } from "./find-run";
import type { Page } from "#core/page";

export const presentEvent = (row: EventRow): PresentedEvent => ({
  id: row.id,
  seq: row.seq,
  type: row.type,
  run_id: row.run_id,
  created_at: toTime(row.created_at),
  data: JSON.parse(row.data),
});

/** In order of `seq`, behind `after`. */
export async function listEvents(
  services: Services,
  { owner, run, limit, after }: { owner: Owner; run: string; limit: number; after: number },
): Promise<Page<PresentedEvent>> {
  await findRun(services, owner, run);
  const rows = await services.store.events.after(run, after, limit + 1);
  return toPage(rows.map(presentEvent), limit, (event) => String(event.seq));
}
