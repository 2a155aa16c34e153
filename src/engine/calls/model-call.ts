import type { Action, Feedback } from "#workflow-kit/action";
import { untilItSucceeds } from "./attempts";
import { reserve, UsageMeter } from "./budget";
import { aboutAct, type CallContext } from "./call-context";
import { Failed } from "../instance/control";
import { renderPrompt } from "./prompt";
import { outputFormat } from "./output-format";
import type { RunSpec } from "../instance/spec";
import {
  type GatedProvider,
  type ModelAnswer,
  type ModelCall,
  type ModelTool,
  type ResolvedModel,
  type Permit,
  UNBOUNDED_OUTPUT,
  type Usage,
} from "#llm";
import { log } from "#core/log";
import { acquirePermit } from "#llm/limits/acquire-permit";
import type { EmbeddingAccount } from "#retrieval/embedder";
import type { Reservation } from "#store/instances";

export interface CallRequest<Input, Output> {
  action: Action<Input, Output>;
  input: Input;
  act: string;
  iteration: number;
  member?: number | undefined;
  seed?: number | undefined;
  feedback?: Feedback<Output> | undefined;
  /** Of an act of a worker agent: its own model, if it has one, and its tools. */
  agent?: { model: string | null; tools: readonly ModelTool[] } | undefined;
}

export interface CallResult<Output> {
  answer: ModelAnswer<Output>;
  parameters: object;
  prompt_hash: string;
  /** Everything the act used, attempts that failed included. */
  usage: Usage;
  released: Reservation;
}

/**
 * Performs an action's model call: reserves its budget, retries what can be retried, and counts all of it.
 * @param attempts how many each act has used up; counted on here
 * @throws Failed when the run must fail, Suspend when it must stop for a while, Gone when it is not ours any more
 */
export async function callModel<Input, Output>(
  context: CallContext,
  request: CallRequest<Input, Output>,
  attempts: Record<string, number>,
): Promise<CallResult<Output>> {
  const { action, input, act } = request;
  const prompt = renderPrompt(action, input, request.feedback);
  const { roles } = context.spec.models;
  const ofRole = roles[`${action.role}_${request.member}`] ?? roles[action.role];
  const model = ofRole && {
    ...outputBound(context.spec),
    ...ofRole,
    ...action.decoding,
    ...seedOf(context.spec, ofRole, request.seed),
    ...(request.agent?.model ? { model: request.agent.model } : {}),
  };
  if (!model) throw new Failed("no_model_configured", `No model is set for the role ${action.role}.`);
  const { model: _, ...parameters } = model;

  const spent = new UsageMeter();
  const call: ModelCall<Output> = {
    model,
    system: prompt.system,
    user: prompt.user,
    output: outputFormat(action, input),
    labels: { run: context.run_id, act },
    timeout_ms: context.timeout_ms,
    reserve: (estimate) => reserve(context, model.model, estimate, spent),
    spent: (usage) => spent.add(usage),
    acquirePermit: (gate, tokens) => queueForPermit(context, act, gate, tokens),
    ...(request.agent?.tools.length ? { tools: request.agent.tools } : {}),
    ...(context.spec.mode === "test" ? { rehearsal: rehearsal(context, request) } : {}),
  };

  const startedAt = Date.now();
  const answer = await untilItSucceeds(context, act, attempts, () => context.llm.complete(call), spent);
  log.info("act answered", {
    ...aboutAct(context, act),
    model: answer.model,
    ms: Date.now() - startedAt,
    ...spent.usage,
    content: { system: call.system, user: call.user, answer: answer.value },
  });
  return { answer, parameters, prompt_hash: prompt.hash, usage: spent.usage, released: spent.reserved };
}

/** The act's own seed, unless the role has one that is not the whole run's. */
const seedOf = ({ models }: RunSpec, { seed }: ResolvedModel, ofAct: number | undefined): { seed?: number } =>
  ofAct === undefined || (seed !== undefined && seed !== models.seed) ? {} : { seed: ofAct };

/** What is reserved for an output must bound it, or a long one would pass the run's limit. */
const outputBound = ({ limits: { max_tokens, max_cost_usd } }: RunSpec): { max_output_tokens?: number } =>
  max_tokens === null && max_cost_usd === null ? {} : { max_output_tokens: UNBOUNDED_OUTPUT };

export interface Embedding {
  model: string;
  vectors: Float32Array[];
  usage: Usage;
  released: Reservation;
}

/**
 * Has texts turned into vectors, under the same rules as a model's call.
 * @param texts 1 to `MOST_TEXTS`
 * @throws as `callModel`
 */
export async function callEncoder(
  context: CallContext,
  request: { model: string; texts: readonly string[]; act: string },
  attempts: Record<string, number>,
): Promise<Embedding> {
  const { model, texts, act } = request;
  const spent = new UsageMeter();
  const { vectors, model: label } = await untilItSucceeds(
    context,
    act,
    attempts,
    () =>
      context.llm.embed({
        model,
        texts,
        labels: { run: context.run_id, act },
        timeout_ms: context.timeout_ms,
        reserve: (estimate) => reserve(context, model, estimate, spent),
        spent: (usage) => spent.add(usage),
        acquirePermit: (gate, tokens) => queueForPermit(context, act, gate, tokens),
        rehearse: context.spec.mode === "test",
      }),
    spent,
  );
  return { model: label, vectors, usage: spent.usage, released: spent.reserved };
}

/**
 * Has something done that may ask for vectors as it goes, each request under the same rules as a model's call.
 * @throws as `callModel`
 */
export async function withEmbeddingAccount<T>(
  context: CallContext,
  act: string,
  attempts: Record<string, number>,
  work: (asker: EmbeddingAccount) => Promise<T>,
): Promise<{ value: T; usage: Usage; released: Reservation }> {
  const spent = new UsageMeter();
  const asker: EmbeddingAccount = {
    id: context.run_id,
    reserve: (model, estimate) => reserve(context, model, estimate, spent),
    spent: (usage) => spent.add(usage),
    acquirePermit: (gate, tokens, part) => queueForPermit(context, `${act}/${part}`, gate, tokens),
  };
  const value = await untilItSucceeds(context, act, attempts, () => work(asker), spent);
  return { value, usage: spent.usage, released: spent.reserved };
}

/** An act, or a part of one, makes one request at a time, so its name, with the epoch, is that of its place in the queue. */
function queueForPermit(context: CallContext, act: string, gate: GatedProvider, tokens: number): Promise<Permit> {
  const { run_id, epoch, spec, timeout_ms } = context;
  const ticket = { id: `${run_id}-e${epoch}/${act}`, run: run_id, tenant: spec.tenant, lease_ms: timeout_ms, tokens };
  return context.queueing.waits(() => acquirePermit(context.gates, gate, ticket, context.assertMayGoOn));
}

/** The stand-in for the model in test mode: what the action rehearses, under the outcomes and faults that the caller scripted. */
function rehearsal<Input, Output>(
  context: CallContext,
  request: CallRequest<Input, Output>,
): NonNullable<ModelCall<Output>["rehearsal"]> {
  const { action, input, iteration, feedback } = request;
  const test = context.spec.test ?? {};
  const outcome = test.script?.[action.name]?.[iteration - 1] ?? action.outcomes[0];
  return {
    content: () => {
      const output = action.rehearse(input, outcome, feedback);
      return typeof output === "string" ? output : JSON.stringify(output);
    },
    nextFault: () => test.faults?.llm?.[context.nextCall()] ?? "ok",
    latency_ms: test.latency_ms ?? 0,
  };
}
