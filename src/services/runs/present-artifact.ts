import { toTime } from "../fields/time";
import { usageOf } from "../fields/usage";
import type { ArtifactMetadata } from "#store/artifacts";
import type { PresentedArtifact } from "./artifact-schema";

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
  act: row.act,
  media_type: row.media_type,
  size: row.size,
  sha256: row.sha256,
  model: row.model,
  rung: row.rung as PresentedArtifact["rung"],
  parameters: row.parameters === null ? null : JSON.parse(row.parameters),
  prompt_hash: row.prompt_hash,
  repairs: row.repairs,
  tries: row.tries,
  usage: usageOf(row),
  duration_ms: row.duration_ms,
  created_at: toTime(row.created_at),
});
