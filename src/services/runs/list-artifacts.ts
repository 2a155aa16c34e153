import type { Services } from "../services";
import type { Page } from "#core/page";
import { findRun } from "./find-run";
import { presentArtifact } from "./present-artifact";
import type { PresentedArtifact } from "./artifact-schema";

/** In order of creation, without contents. */
export async function listArtifacts(
  services: Services,
  tenant: string,
  id: string,
  filter: { kind?: string; stage?: string; role?: string },
  limit: number,
  after: string | null,
): Promise<Page<PresentedArtifact>> {
  const run = await findRun(services, tenant, id);
  const { rows, next } = await services.store.artifacts.list(run.id, filter, limit, after);
  return { rows: rows.map(presentArtifact), next };
}
