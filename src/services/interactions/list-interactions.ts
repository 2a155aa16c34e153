import type { Page } from "#core/page";
import type { InteractionStatus } from "#core/vocabulary";
import type { PageRequest } from "../fields/page-request";
import type { Services } from "../services";
import type { PresentedInteraction } from "./schema";
import { showInteractions, type Viewer } from "./show-interaction";

/** Newest first. */
export async function listInteractions(
  services: Services,
  {
    owner,
    filter,
    limit,
    after,
    viewer,
  }: PageRequest & { filter: { run_id?: string; status: InteractionStatus }; viewer: Viewer },
): Promise<Page<PresentedInteraction>> {
  const { rows, next } = await services.store.interactions.list(owner, filter, limit, after);
  return { rows: await showInteractions(services, rows, viewer), next };
}
