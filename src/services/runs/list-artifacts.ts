import type { Services } from "../services";
import type { Page } from "#core/page";
import type { PageRequest } from "../fields/page-request";
import { findRun } from "./find-run";
import { presentArtifact } from "./present-artifact";
import type { PresentedArtifact } from "./artifact-schema";

interface ArtifactFilter {
  kind?: string;
  stage?: string;
  role?: string;
}

/** In order of creation, without contents. */
export async function listArtifacts(
  services: Services,
  { owner, run, filter, limit, after }: PageRequest & { run: string; filter: ArtifactFilter },
): Promise<Page<PresentedArtifact>> {
  await findRun(services, owner, run);
  const { rows, next } = await services.store.artifacts.list(run, filter, limit, after);
  return { rows: rows.map(presentArtifact), next };
}
