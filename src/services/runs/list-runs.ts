import type { Services } from "../services";
import type { Page } from "#core/page";
import type { RunFilter } from "#store/runs";
import { presentRuns } from "./present-run";
import type { PresentedRun } from "./schema";

/** Newest first. */
export async function listRuns(
  services: Services,
  tenant: string,
  filter: RunFilter,
  limit: number,
  after: string | null,
): Promise<Page<PresentedRun>> {
  const { rows, next } = await services.store.runs.list(tenant, filter, limit, after);
  return { rows: await presentRuns(services, rows), next };
}
