import type { Owner } from "#core/owner";
import { Problem } from "#core/errors";
import type { Services } from "../services";
import type { ArtifactRow } from "#store/rows";
import { findRun } from "./find-run";
import { presentArtifact } from "./present-artifact";
import type { ArtifactWithContent } from "./artifact-schema";

interface ArtifactRequest {
  owner: Owner;
  run: string;
  id: string;
}

/** An artifact with its content: JSON as it is, any other media type as text. */
export async function getArtifact(services: Services, request: ArtifactRequest): Promise<ArtifactWithContent> {
  const row = await findArtifact(services, request);
  const text = await services.store.artifacts.content(row);
  return { ...presentArtifact(row), content: row.media_type === "application/json" ? JSON.parse(text) : text };
}

export interface RawContent {
  media_type: string;
  sha256: string;
  /** Reads the content; not called when the client has it already. */
  text(): Promise<string>;
}

/** The content alone, unparsed. */
export async function getArtifactContent(services: Services, request: ArtifactRequest): Promise<RawContent> {
  const row = await findArtifact(services, request);
  return { media_type: row.media_type, sha256: row.sha256, text: () => services.store.artifacts.content(row) };
}

async function findArtifact(services: Services, { owner, run, id }: ArtifactRequest): Promise<ArtifactRow> {
  await findRun(services, owner, run);
  const row = await services.store.artifacts.get(run, id);
  if (!row) throw new Problem("not_found", `The run ${run} has no artifact ${id}.`);
  return row;
}
