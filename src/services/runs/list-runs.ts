import type { Services } from "../services";
import type { Page } from "#core/page";
import type { PageRequest } from "../fields/page-request";
import type { RunFilter } from "#store/run-lists";
import { presentRunEntries } from "./present-run";
import type { PresentedRunEntry } from "./schema";

/** Newest first; a page may end early, so that its bytes are bounded. */
export async function listRuns(
  services: Services,
  { owner, filter, limit, after }: PageRequest & { filter: RunFilter },
): Promise<Page<PresentedRunEntry>> {
  const { rows, next } = await services.store.runs.list(owner, filter, limit, after);
  return { rows: await presentRunEntries(services, rows), next };
}
