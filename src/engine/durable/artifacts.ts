import type { Artifact } from "#workflow-kit/artifact";
import { newId } from "#core/ids";
import type { NewArtifact } from "#store/artifacts";
import type { ArtifactRow } from "#store/rows";
import type { StageKey } from "#store/stages";
import type { ActOptions } from "#workflow-kit/run";

/** How artifacts are made: what is written of them, and what is read back. */

const NO_USAGE = { llm_calls: 0, input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, cost_usd: null };
const NOTHING_RESERVED = { calls: 0, tokens: 0, cost_usd: 0 };
/** `caused_by` of what a person contributes: the paper's start action, which "can provide human feedback" (MARE, II-D). */
export const HUMAN_ACTION = "human_interaction";

/** Who makes an artifact, by which action, and of what kind it is. */
export interface Maker {
  name?: string;
  action?: string;
  kind: string;
  role: string;
  media_type?: string;
  /** By default the addressees of the kind. */
  send_to?: readonly string[];
}

/** The row of an artifact that used no model; what a call used is laid over it. */
export function newArtifact(
  { stage, generation, iteration }: StageKey,
  act: string,
  by: Maker & { send_to: readonly string[] },
  content: unknown,
  options: ActOptions,
  mediaType = typeof content === "string" ? (by.media_type ?? "text/markdown") : "application/json",
): NewArtifact {
  return {
    id: newId("art"),
    act,
    generation,
    kind: by.kind,
    subject: options.subject ?? "",
    iteration: options.iteration ?? iteration,
    stage,
    action: by.name ?? by.action ?? HUMAN_ACTION,
    role: by.role,
    sent_from: options.sentFrom ?? by.role,
    send_to: by.send_to,
    inputs: (options.inputs ?? []).map((artifact) => artifact.id),
    media_type: mediaType,
    content: typeof content === "string" ? content : JSON.stringify(content),
    model: null,
    rung: null,
    parameters: null,
    prompt_hash: null,
    repairs: 0,
    usage: NO_USAGE,
    released: NOTHING_RESERVED,
    duration_ms: 0,
    outcome: null,
  };
}

export function fromNew<T>(artifact: NewArtifact, completed_seq: number | null = null): Artifact<T> {
  const { id, act, kind, subject, iteration, role, action, sent_from, send_to, content, media_type } = artifact;
  return {
    id,
    act,
    kind,
    subject,
    iteration,
    role,
    caused_by: action,
    sent_from,
    send_to,
    content: parse<T>(content, media_type),
    ...(completed_seq === null ? {} : { completed_seq }),
  };
}

export function fromRow<T>(row: ArtifactRow, content: string): Artifact<T> {
  const { id, act, kind, subject, iteration, role, action, sent_from, send_to, media_type, completed_seq } = row;
  return {
    id,
    act,
    kind,
    subject,
    iteration,
    role,
    caused_by: action,
    sent_from,
    send_to: JSON.parse(send_to),
    content: parse<T>(content, media_type),
    ...(completed_seq === null ? {} : { completed_seq }),
  };
}

const parse = <T>(content: string, mediaType: string): T =>
  (mediaType === "application/json" ? JSON.parse(content) : content) as T;
