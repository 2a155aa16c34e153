import type { Owner } from "#core/owner";
import { presentEvent } from "../fields/present-event";
import type { Services } from "../services";
import { toPage } from "#store/page";
import type { PresentedEvent } from "./event-schema";
import { findRun } from "./runs";
import type { Page } from "#core/page";

/** In order of `seq`, behind `after`. */
export async function listEvents(
  services: Services,
  { owner, run, limit, after }: { owner: Owner; run: string; limit: number; after: number },
): Promise<Page<PresentedEvent>> {
  await findRun(services, owner, run);
  const rows = await services.store.events.after(run, after, limit + 1);
  return toPage(rows.map(presentEvent), limit, (event) => String(event.seq));
}
