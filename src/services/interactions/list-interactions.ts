import type { PresentedInteraction } from "./schema";
import type { Services } from "../services";
import type { Page } from "#core/page";
import type { InteractionStatus } from "#core/vocabulary";
import { present, type Viewer } from "./present";

/** Newest first. */
export async function listInteractions(
  services: Services,
  tenant: string,
  filter: { run_id?: string; status: InteractionStatus },
  limit: number,
  after: string | null,
  viewer: Viewer,
): Promise<Page<PresentedInteraction>> {
  const { rows, next } = await services.store.interactions.list(tenant, filter, limit, after);
  return { rows: await present(services, rows, viewer), next };
}
