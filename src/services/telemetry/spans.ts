import { createHash } from "node:crypto";
import type { Attributes, Span, SpanEvent } from "./otlp";
import { ERRORS, type ErrorCode, type ProblemObject } from "#core/errors";
import type { ArtifactMetadata } from "#store/artifacts";
import type { EventRow, RunEndRow, RunRow, StageRow } from "#store/rows";

/**
 * The trace of an ended run, built from D1: spans for the run, its stages and its steps, and in each step of a model a span for the model.
 * Names and attributes follow the GenAI semantic conventions 1.41; others are named `parley.…`. Ids are hashes of stable names, so that
 * exporting a trace twice gives the same trace. A retried run has one root span for each of its ends, all in one trace.
 */

/** An end of a run, with all the data of its spans. */
export interface EndedRun {
  end: RunEndRow;
  run: RunRow;
  stages: readonly StageRow[];
  artifacts: readonly ArtifactMetadata[];
  events: readonly EventRow[];
  /** Texts of people and models: the run's input, and contents by artifact id. Null: they must not be exported. */
  contents: { input: string; byArtifact: ReadonlyMap<string, string> } | null;
}

const hex = (name: string, digits: number) => createHash("sha256").update(name).digest("hex").slice(0, digits);
export const traceId = (run: string): string => hex(run, 32);
const spanId = (...name: (string | number)[]): string => hex(name.join("\n"), 16);

export function spansOf(ended: EndedRun): Span[] {
  const { end, run } = ended;
  const artifacts = ended.artifacts.filter((artifact) => artifact.epoch === end.epoch);
  const root = rootSpan(ended);
  const stages = stagesWithin(ended.stages, artifacts, root).map((stage) => ({ stage, span: stageSpan(stage, root) }));
  const steps = artifacts.flatMap((artifact) => {
    const within = stages.filter(
      ({ stage }) =>
        stage.stage === artifact.stage &&
        stage.generation === artifact.generation &&
        stage.started_at <= artifact.created_at,
    );
    return stepSpans(run, artifact, within.at(-1)?.span ?? root, ended.contents?.byArtifact.get(artifact.id));
  });
  return [root, ...stages.map(({ span }) => span), ...steps];
}

/** Events that have their own spans. */
const EVENTS_WITH_SPANS = ["run.stage_started", "run.stage_completed", "run.artifact_created"];

function rootSpan({ end, run, events, contents }: EndedRun): Span {
  const first = events.find((event) => event.type === "run.retried" && JSON.parse(event.data).epoch === end.epoch);
  const from = first?.seq ?? 1;
  const last = events.find((event) => event.seq > from && event.type === `run.${end.phase}`);
  const { error } = JSON.parse(last?.data ?? "{}") as { error?: ProblemObject };
  const within = events.filter((event) => event.seq >= from && event.seq <= (last?.seq ?? Infinity));
  const started_at = first?.created_at ?? run.created_at;
  return {
    trace_id: traceId(run.id),
    span_id: spanId(run.id, end.epoch),
    parent_id: null,
    name: `invoke_workflow ${run.workflow}`,
    kind: "internal",
    started_at,
    ended_at: Math.max(end.ended_at, started_at),
    attributes: {
      "gen_ai.operation.name": "invoke_workflow",
      "gen_ai.workflow.name": run.workflow,
      "gen_ai.conversation.id": run.id,
      "error.type": error?.code ?? null,
      "parley.tenant.id": run.tenant_id,
      "parley.run.mode": run.mode,
      "parley.run.status": end.phase,
      "parley.run.epoch": end.epoch,
      "parley.workflow.version": run.workflow_version,
      "gen_ai.input.messages": contents && messages("user", contents.input),
    },
    events: within.filter((event) => !EVENTS_WITH_SPANS.includes(event.type)).map(toSpanEvent),
    failure: error ? ERRORS[error.code as ErrorCode].title : null,
  };
}

const toSpanEvent = ({ type, created_at, data }: EventRow): SpanEvent => {
  const { interaction_id = null, stage = null } = JSON.parse(data) as { interaction_id?: string; stage?: string };
  return {
    name: type,
    at: created_at,
    attributes: { "parley.interaction.id": interaction_id, "parley.stage": stage },
  };
};

/** Stages that were active during the root span, in order. */
function stagesWithin(stages: readonly StageRow[], artifacts: readonly ArtifactMetadata[], root: Span): StageRow[] {
  const within = (at: number | null) => at !== null && at >= root.started_at && at <= root.ended_at;
  const worked = new Set(artifacts.map(({ stage, generation }) => `${generation} ${stage}`));
  return stages
    .filter(
      (row) =>
        within(row.started_at) ||
        within(row.completed_at) ||
        (row.completed_at === null && worked.has(`${row.generation} ${row.stage}`)),
    )
    .sort((a, b) => a.started_at - b.started_at);
}

/** A visit to a stage, cut to the root span: it may have begun before a retry, and be unfinished at the end. */
function stageSpan(row: StageRow, root: Span): Span {
  const started_at = Math.max(row.started_at, root.started_at);
  const done = row.completed_at !== null && row.completed_at <= root.ended_at;
  return {
    trace_id: root.trace_id,
    span_id: spanId(root.span_id, row.stage, row.iteration, row.generation),
    parent_id: root.span_id,
    name: `stage ${row.stage}`,
    kind: "internal",
    started_at,
    ended_at: Math.max(done ? row.completed_at! : root.ended_at, started_at),
    attributes: {
      "gen_ai.conversation.id": row.run_id,
      "parley.stage": row.stage,
      "parley.iteration": row.iteration,
      "parley.generation": row.generation,
    },
    events: [],
    failure: done ? null : root.failure,
  };
}

/** The span of a step, and inside it one for the model, because a role may call its model several times. */
function stepSpans(run: RunRow, artifact: ArtifactMetadata, parent: Span, content: string | undefined): Span[] {
  const step: Span = {
    trace_id: parent.trace_id,
    span_id: spanId(run.id, artifact.step, artifact.generation),
    parent_id: parent.span_id,
    name: artifact.model === null ? artifact.action : `invoke_agent ${agentOf(artifact)}`,
    kind: "internal",
    started_at: artifact.created_at - artifact.duration_ms,
    ended_at: artifact.created_at,
    attributes: {
      ...(artifact.model === null
        ? {}
        : {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": agentOf(artifact),
            ...attributesOf(artifact.model),
          }),
      "gen_ai.conversation.id": run.id,
      "parley.step": artifact.step,
      "parley.action": artifact.action,
      "parley.role": artifact.role,
      "parley.stage": artifact.stage,
      "parley.iteration": artifact.iteration,
      "parley.generation": artifact.generation,
      "parley.artifact.id": artifact.id,
      "parley.artifact.kind": artifact.kind,
      "parley.artifact.version": artifact.version,
    },
    events: [],
    failure: artifact.ok === 0 ? "The agent gave no usable answer" : null,
  };
  return artifact.model === null ? [step] : [step, modelSpan(step, artifact, artifact.model, content)];
}

/** The name of the worker agent that a plan chose; otherwise the role. */
const agentOf = (artifact: ArtifactMetadata) => (artifact.execution === null ? artifact.role : artifact.subject);

function modelSpan(step: Span, artifact: ArtifactMetadata, model: string, content: string | undefined): Span {
  const operation = artifact.output_mode === null ? "embeddings" : "chat";
  const parameters = (artifact.parameters === null ? {} : JSON.parse(artifact.parameters)) as Record<string, number>;
  const modelAttributes = attributesOf(model);
  return {
    ...step,
    span_id: spanId(step.span_id, operation),
    parent_id: step.span_id,
    name: `${operation} ${modelAttributes["gen_ai.request.model"]}`,
    kind: "client",
    attributes: {
      "gen_ai.operation.name": operation,
      ...modelAttributes,
      "gen_ai.conversation.id": artifact.run_id,
      "gen_ai.request.temperature": parameters.temperature ?? null,
      "gen_ai.request.top_p": parameters.top_p ?? null,
      "gen_ai.request.max_tokens": parameters.max_output_tokens ?? null,
      "gen_ai.request.frequency_penalty": parameters.frequency_penalty ?? null,
      "gen_ai.request.presence_penalty": parameters.presence_penalty ?? null,
      "gen_ai.request.seed": parameters.seed ?? null,
      "gen_ai.output.type": operation === "chat" ? (artifact.output_mode === "markdown" ? "text" : "json") : null,
      "gen_ai.usage.input_tokens": artifact.input_tokens,
      "gen_ai.usage.output_tokens": artifact.output_tokens,
      "gen_ai.usage.cache_read.input_tokens": artifact.cached_input_tokens,
      "gen_ai.usage.reasoning.output_tokens": artifact.reasoning_tokens,
      "gen_ai.response.model": artifact.response_model,
      "gen_ai.output.messages": operation === "chat" && content !== undefined ? messages("assistant", content) : null,
      "parley.llm_calls": artifact.llm_calls,
      "parley.repairs": artifact.repairs,
      "parley.tries": artifact.tries,
      "parley.cost_usd": artifact.cost_usd,
      "parley.prompt_hash": artifact.prompt_hash,
    },
    failure: null,
  };
}

/** Attributes of `<provider>/<model>`; a model's name may contain slashes. */
function attributesOf(label: string): Attributes & { "gen_ai.request.model": string } {
  const [provider = label, ...model] = label.split("/");
  return { "gen_ai.provider.name": provider, "gen_ai.request.model": model.join("/") || provider };
}

/** One message in the form of the conventions: JSON as text. */
const messages = (role: "user" | "assistant", content: string) =>
  JSON.stringify([
    { role, parts: [{ type: "text", content }], ...(role === "assistant" ? { finish_reason: "stop" } : {}) },
  ]);
