import type { Artifact } from "#workflow-kit/artifact";
import { newId } from "#core/ids";
import { NO_USAGE } from "#llm";
import type { NewArtifact } from "#store/artifacts";
import type { StageKey } from "#store/stages";
import type { StepOptions } from "#workflow-kit/run";

/** Artifacts as they are written, and as workflows read them back. */

export const NOTHING_RESERVED = { calls: 0, tokens: 0, cost_usd: 0 };

/** The action and the role that make an artifact, and its kind. */
export interface Maker {
  /** Name of the action. */
  name: string;
  kind: string;
  role: string;
  /** Of a text; by default `text/markdown`. */
  media_type?: string | undefined;
  /** By default the addressees of the kind. */
  send_to?: readonly string[];
}

/** The result of a step: the content, and the model call that made it. Without a model only the content is given. */
export interface Made extends Partial<
  Pick<
    NewArtifact,
    | "output_mode"
    | "parameters"
    | "dropped_parameters"
    | "response_model"
    | "prompt_hash"
    | "repairs"
    | "tries"
    | "usage"
    | "released"
    | "duration_ms"
    | "outcome"
  >
> {
  content: unknown;
  model?: string;
}

export function newArtifact(
  { stage, generation, iteration }: StageKey,
  step: string,
  { by, options, made }: { by: Maker & Required<Pick<Maker, "send_to">>; options: StepOptions; made: Made },
): NewArtifact {
  const { content, ...provenance } = made;
  const isText = typeof content === "string";
  return {
    id: newId("art"),
    step,
    generation,
    kind: by.kind,
    subject: options.subject ?? "",
    iteration: options.iteration ?? iteration,
    stage,
    action: by.name,
    role: by.role,
    sent_from: options.sentFrom ?? by.role,
    send_to: by.send_to,
    inputs: (options.inputs ?? []).map((artifact) => artifact.id),
    media_type: isText ? (by.media_type ?? "text/markdown") : "application/json",
    content: isText ? content : JSON.stringify(content),
    model: null,
    output_mode: null,
    parameters: null,
    dropped_parameters: null,
    response_model: null,
    prompt_hash: null,
    repairs: 0,
    tries: 1,
    usage: NO_USAGE,
    released: NOTHING_RESERVED,
    duration_ms: 0,
    outcome: null,
    ...provenance,
  };
}

/** The columns of an artifact that workflows see. */
type Visible = Pick<
  NewArtifact,
  | "id"
  | "step"
  | "kind"
  | "subject"
  | "iteration"
  | "role"
  | "action"
  | "sent_from"
  | "send_to"
  | "media_type"
  | "content"
>;

export function toArtifact<T>(
  { id, step, kind, subject, iteration, role, action, sent_from, send_to, media_type, content }: Visible,
  completed_seq: number | null = null,
): Artifact<T> {
  return {
    id,
    step,
    kind,
    subject,
    iteration,
    role,
    caused_by: action,
    sent_from,
    send_to,
    content: media_type === "application/json" ? JSON.parse(content) : (content as T),
    ...(completed_seq === null ? {} : { completed_seq }),
  };
}
