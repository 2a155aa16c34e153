import { toTime } from "../fields/time";
import { usageOf } from "../fields/usage";
import type { ArtifactMetadata } from "#store/artifacts";
import type { PresentedArtifact, ArtifactWithContent } from "./artifact-schema";
import type { Owner } from "#core/owner";
import { Problem } from "#core/errors";
import type { Services } from "../services";
import type { ArtifactRow } from "#store/rows";
import { findRun } from "./runs";
import type { Page } from "#core/page";
import type { PageRequest } from "../fields/page-request";

export const presentArtifact = (row: ArtifactMetadata): PresentedArtifact => ({
  object: "artifact",
  id: row.id,
  run_id: row.run_id,
  kind: row.kind,
  subject: row.subject,
  version: row.version,
  role: row.role,
  caused_by: row.action,
  sent_from: row.sent_from,
  send_to: JSON.parse(row.send_to),
  inputs: JSON.parse(row.inputs),
  generation: row.generation,
  iteration: row.iteration,
  stage: row.stage,
  step: row.step,
  media_type: row.media_type,
  size: row.size,
  sha256: row.sha256,
  model: row.model,
  output_mode: row.output_mode as PresentedArtifact["output_mode"],
  parameters: row.parameters === null ? null : JSON.parse(row.parameters),
  dropped_parameters: row.dropped_parameters === null ? null : JSON.parse(row.dropped_parameters),
  response_model: row.response_model,
  prompt_hash: row.prompt_hash,
  repairs: row.repairs,
  tries: row.tries,
  usage: usageOf(row),
  duration_ms: row.duration_ms,
  created_at: toTime(row.created_at),
});

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
