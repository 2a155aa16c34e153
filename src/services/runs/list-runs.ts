import type { Services } from "../services";
import type { Page } from "#core/page";
import type { PageRequest } from "../fields/page-request";
import type { RunFilter } from "#store/runs";
import { presentRuns } from "./present-run";
import type { PresentedRun } from "./schema";

/** Newest first. */
export async function listRuns(
  services: Services,
  { owner, filter, limit, after }: PageRequest & { filter: RunFilter },
): Promise<Page<PresentedRun>> {
  const { rows, next } = await services.store.runs.list(owner, filter, limit, after);
  return { rows: await presentRuns(services, rows), next };
}
