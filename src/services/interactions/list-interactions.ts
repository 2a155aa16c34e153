import type { Page } from "#core/page";
import type { InteractionFilter } from "#store/interactions";
import type { PageRequest } from "../fields/page-request";
import type { Services } from "../services";
import type { PresentedInteraction } from "./schema";
import { showInteractions, type Viewer } from "./show-interaction";

/** Newest first. */
export async function listInteractions(
  services: Services,
  { owner, filter, limit, after, viewer }: PageRequest & { filter: InteractionFilter; viewer: Viewer },
): Promise<Page<PresentedInteraction>> {
  const { rows, next } = await services.store.interactions.list(owner, filter, limit, after);
  return { rows: await showInteractions(services, rows, viewer), next };
}
