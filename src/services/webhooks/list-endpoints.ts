import type { Services } from "../services";
import type { Page } from "#core/page";
import type { PageRequest } from "../fields/page-request";
import { presentEndpoint } from "./present-endpoint";
import type { PresentedEndpoint } from "./schema";

/** Newest first: the endpoints of the whole tenant, or with `run_id` those of that run. */
export async function listEndpoints(
  { store }: Services,
  request: PageRequest & { filter: { run_id?: string; status?: PresentedEndpoint["status"] } },
): Promise<Page<PresentedEndpoint>> {
  const { owner, filter, limit, after } = request;
  const { rows, next } = await store.endpoints.list(owner, filter, limit, after);
  return { rows: rows.map(presentEndpoint), next };
}
