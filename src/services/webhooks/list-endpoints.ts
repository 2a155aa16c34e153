import type { Services } from "../services";
import type { Page } from "#core/page";
import { type PresentedEndpoint, presentEndpoint } from "./present-endpoint";

/** Newest first: those of the whole tenant, or with `run_id` that run's own. */
export async function listEndpoints(
  { store }: Services,
  tenant: string,
  filter: { run_id?: string; status?: "enabled" | "disabled" },
  limit: number,
  after: string | null,
): Promise<Page<PresentedEndpoint>> {
  const { rows, next } = await store.webhooks.list(tenant, filter, limit, after);
  return { rows: rows.map(presentEndpoint), next };
}
