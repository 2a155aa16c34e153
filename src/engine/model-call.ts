import type { Action, Feedback } from "./action";
import { Failed, Gone, Suspend } from "./control";
import { renderPrompt } from "./prompt";
import { outputFormat } from "./output-format";
import { delayBefore, SLEEP_IN_STEP_MS } from "./retry";
import type { RunSpec } from "./spec";
import {
  type Estimate,
  type Gate,
  type Llm,
  LlmError,
  type ModelAnswer,
  type ModelCall,
  type ModelTool,
  type ResolvedModel,
  type Passage,
  UNBOUNDED_OUTPUT,
  type Usage,
} from "../llm";
import { log } from "../log";
import { sleep } from "../patience";
import { awaitTurn, type ProviderGates } from "../provider-gates/await-turn";
import type { Asker } from "../retrieval/embedder";
import type { Trouble } from "../store/rows";
import type { Reservation } from "../store/runs";
import type { Store } from "../store/store";

/** From this share of a limit on, the run warns of its budget. */
const WARN_AT = 0.8;

export interface CallContext {
  run_id: string;
  epoch: number;
  spec: RunSpec;
  store: Store;
  llm: Llm;
  gates: ProviderGates;
  timeout_ms: number;
  /** Position of the next call in the run, for `test.faults.llm`. */
  nextCall(): number;
  /** Looks at D1 between attempts, and says how long nothing more will be heard of the run (milliseconds); throws `Gone`, `Suspend` or `Failed` when the act must not be tried again now. */
  assertMayGoOn(quiet?: number): Promise<void>;
}

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

  const spent = new Spent();
  const call: ModelCall<Output> = {
    model,
    system: prompt.system,
    user: prompt.user,
    output: outputFormat(action, input),
    labels: { run: context.run_id, act },
    timeout_ms: context.timeout_ms,
    reserve: (estimate) => reserve(context, model.model, estimate, spent),
    spent: (usage) => spent.add(usage),
    enter: (gate) => enter(context, act, gate),
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
  const spent = new Spent();
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
        enter: (gate) => enter(context, act, gate),
        rehearse: context.spec.mode === "test",
      }),
    spent,
  );
  return { model: label, vectors, usage: spent.usage, released: spent.reserved };
}

/**
 * Has something done that may ask for vectors as it goes, under the same rules as a model's call.
 * @throws as `callModel`
 */
export async function underItsRules<T>(
  context: CallContext,
  act: string,
  attempts: Record<string, number>,
  work: (asker: Asker) => Promise<T>,
): Promise<{ value: T; usage: Usage; released: Reservation }> {
  const spent = new Spent();
  const asker: Asker = {
    id: context.run_id,
    reserve: (model, estimate) => reserve(context, model, estimate, spent),
    spent: (usage) => spent.add(usage),
    enter: (gate, part) => enter(context, `${act}/${part}`, gate),
  };
  const value = await untilItSucceeds(context, act, attempts, () => work(asker), spent);
  return { value, usage: spent.usage, released: spent.reserved };
}

/**
 * Makes a request to a model, and makes it again as long as its failure allows.
 * @param spent what is settled when the act is given up
 */
async function untilItSucceeds<T>(
  context: CallContext,
  act: string,
  attempts: Record<string, number>,
  request: () => Promise<T>,
  spent: Spent,
): Promise<T> {
  for (;;) {
    try {
      return await request();
    } catch (error) {
      try {
        await nextAttempt(context, act, attempts, error);
      } catch (reason) {
        await settle(context, spent, reason);
        throw reason;
      }
    }
  }
}

/** Waits until the act may be tried again; throws when it may not, or when the run has been canceled or paused meanwhile. */
async function nextAttempt(
  context: CallContext,
  act: string,
  attempts: Record<string, number>,
  error: unknown,
): Promise<void> {
  if (!(error instanceof LlmError)) throw error;
  const attempt = (attempts[act] ?? 0) + 1;
  attempts[act] = attempt;
  const delay = delayBefore(attempt, error);
  log.warn("an attempt failed", {
    ...aboutAct(context, act),
    code: error.code,
    attempt,
    next_in_ms: delay,
    content: error.message,
  });
  if (delay === null) {
    delete attempts[act]; // `retry` begins anew
    throw new Failed(error.code, `${act}: ${error.message}`);
  }
  const noted = noteTrouble(context, { act, code: error.code, at: Date.now() });
  if (delay > SLEEP_IN_STEP_MS) {
    await noted;
    throw new Suspend({ why: "later", ms: delay });
  }
  await Promise.all([noted, sleep(delay)]);
  await context.assertMayGoOn();
}

/** Tells D1 why the act takes so long, for whoever asks why the run stalls. Not knowing it costs the run nothing. */
async function noteTrouble({ store, run_id, epoch }: CallContext, trouble: Trouble): Promise<void> {
  await store.runs.noteTrouble(run_id, epoch, trouble).catch((error: unknown) => {
    log.warn("a failed attempt was not noted", { run_id, act: trouble.act, error });
  });
}

const aboutAct = ({ run_id, spec }: CallContext, act: string) => ({ run_id, tenant_id: spec.tenant, act });

/** Counts what was used in vain. Not repeated when it fails: twice would be worse than never. */
async function settle(context: CallContext, spent: Spent, reason: unknown): Promise<void> {
  if (reason instanceof Gone) return;
  const quiet = reason instanceof Suspend && reason.suspension.why === "later" ? reason.suspension.ms : 0;
  await context.store.runs
    .spend(context.run_id, context.epoch, spent.usage, spent.reserved, quiet)
    .catch((error: unknown) => {
      log.error("usage was not counted", { run_id: context.run_id, error });
    });
}

/** What an act has used and set aside so far, over its attempts. */
class Spent {
  usage: Usage = { llm_calls: 0, input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, cost_usd: null };
  reserved: Reservation = { calls: 0, tokens: 0, cost_usd: 0 };

  add(more: Usage): void {
    const { usage } = this;
    this.usage = {
      llm_calls: usage.llm_calls + more.llm_calls,
      input_tokens: usage.input_tokens + more.input_tokens,
      cached_input_tokens: usage.cached_input_tokens + more.cached_input_tokens,
      output_tokens: usage.output_tokens + more.output_tokens,
      cost_usd: usage.cost_usd === null && more.cost_usd === null ? null : (usage.cost_usd ?? 0) + (more.cost_usd ?? 0),
    };
  }
}

/** An act, or a part of one, makes one request at a time, so its name, with the epoch, is that of its place in the queue. */
function enter(context: CallContext, act: string, gate: Gate): Promise<Passage> {
  const { run_id, epoch, spec, timeout_ms } = context;
  const ticket = { id: `${run_id}-e${epoch}/${act}`, run: run_id, tenant: spec.tenant, lease_ms: timeout_ms };
  return awaitTurn(context.gates, gate, ticket, context.assertMayGoOn);
}

/** A run without limits makes no round trip for them. */
async function reserve(context: CallContext, model: string, estimate: Estimate, spent: Spent): Promise<void> {
  const { max_llm_calls, max_tokens, max_cost_usd } = context.spec.limits;
  if (max_llm_calls === null && max_tokens === null && max_cost_usd === null) return;
  if (max_cost_usd !== null && estimate.cost_usd === null) {
    // It had one, or an agent another model, when the run was created.
    throw new Failed("budget_exceeded", `No price is configured for ${model}, so max_cost_usd cannot be kept.`);
  }
  const { runs } = context.store;
  const want = { ...estimate, cost_usd: estimate.cost_usd ?? 0 };
  const got = await runs.reserve(context.run_id, context.epoch, want);
  if (got === "gone") throw new Gone();
  if (got === "exceeded") {
    throw new Failed(
      "budget_exceeded",
      `The next call needs 1 call and up to ${estimate.tokens} tokens, which would pass the run's limits ${JSON.stringify(context.spec.limits)}.`,
    );
  }
  spent.reserved = {
    calls: spent.reserved.calls + want.calls,
    tokens: spent.reserved.tokens + want.tokens,
    cost_usd: spent.reserved.cost_usd + want.cost_usd,
  };
  if (got.share >= WARN_AT) await runs.warnOfBudget(context.run_id, context.epoch);
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
