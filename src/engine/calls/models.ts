import type { Action, Feedback } from "#workflow-kit/action";
import { ActRequests } from "./act-requests";
import { Failed } from "../instance/control";
import { outputFormat } from "./output-format";
import { packVectors } from "./packed-vectors";
import { renderPrompt } from "./prompt";
import { seedOfCall } from "./seeds";
import type { RunSpec } from "../instance/spec";
import type { StageVisit } from "../durable/stage-visit";
import type { Stages } from "../durable/stages";
import {
  type ModelCall,
  type ModelParameters,
  type ModelTool,
  REHEARSAL,
  type ResolvedModel,
  UNBOUNDED_OUTPUT,
} from "#llm";
import { log } from "#core/log";
import type { EmbeddingAccount } from "#retrieval/embedder";

export interface CallRequest<Input, Output> {
  action: Action<Input, Output>;
  input: Input;
  act: string;
  iteration: number;
  member?: number | undefined;
  seed?: number | undefined;
  feedback?: Feedback<Output> | undefined;
  /** Of a worker agent's act: its own model, if it has one, and its tools. */
  agent?: { model: string | null; tools: readonly ModelTool[] } | undefined;
}

/** The requests of a run to models. Only inside a stage. Its methods throw as `ActRequests.withRetries` does. */
export class Models {
  constructor(private readonly stages: Stages) {}

  /** A model's answer, with the provenance for its artifact. */
  async ask<Input, Output>(request: CallRequest<Input, Output>) {
    const { action, input, feedback, agent } = request;
    const { model: first, fallbacks = [], ...parameters } = modelOf(this.stages.currentVisit.instance.spec, request);
    const models = [first, ...fallbacks];
    const { visit, requests, startedAt } = this.begin(request.act, { role: action.role, models });
    const { spec, deps } = visit.instance;
    const prompt = renderPrompt(action, input, feedback);
    const seeded = (nth: number) => ({ ...parameters, ...seedOfCall(spec, parameters, request, nth) });
    const call: Omit<ModelCall<Output>, "model" | keyof ReturnType<ActRequests["callOptions"]>> = {
      system: prompt.system,
      user: prompt.user,
      output: outputFormat(action, input),
      ...(agent?.tools.length ? { tools: agent.tools } : {}),
      ...(spec.mode === "test" ? { rehearsal: rehearsal(visit, request) } : {}),
    };
    const { answer, tries } = await requests.withTries(triesOf(action, parameters), (model, nth) =>
      deps.llm.complete({ ...call, ...requests.callOptions(model), model: { model, ...seeded(nth) } }),
    );
    const { model: label, value, rung, repairs, tool_calls } = answer;
    const { usage, reserved: released } = requests;
    const duration_ms = Date.now() - startedAt;
    log.debug("act answered", {
      ...requests.logFields,
      model: label,
      ms: duration_ms,
      ...usage,
      content: { system: prompt.system, user: prompt.user, answer: value },
    });
    const provenance = {
      model: label,
      rung,
      parameters: seeded(tries),
      prompt_hash: prompt.hash,
      repairs,
      tries,
      usage,
      released,
      duration_ms,
    };
    return { value, tool_calls, provenance };
  }

  /** Texts (1 to `MOST_TEXTS`) as vectors, with the provenance for their artifact. */
  async encode({ model, texts, act }: { model: string; texts: readonly string[]; act: string }) {
    const { visit, requests, startedAt } = this.begin(act, { role: null, models: [model] });
    const { spec, deps } = visit.instance;
    const rehearse = spec.mode === "test";
    const { vectors, model: label } = await requests.withRetries((asked) =>
      deps.llm.embed({ ...requests.callOptions(asked), model: asked, texts, rehearse }),
    );
    const { usage, reserved: released } = requests;
    const provenance = { model: label, usage, released, duration_ms: Date.now() - startedAt };
    return { content: packVectors(label, vectors), provenance };
  }

  /** The result of work that may ask for vectors, with the provenance for its artifact. */
  async withEmbeddings<T>(act: string, work: (account: EmbeddingAccount) => Promise<T>) {
    const { embedding } = this.stages.currentVisit.instance.spec.models;
    const { requests } = this.begin(act, { role: null, models: [embedding ?? REHEARSAL] });
    const value = await requests.withRetries(() => work(requests));
    return { value, provenance: { usage: requests.usage, released: requests.reserved } };
  }

  private begin(
    act: string,
    { role, models }: { role: string | null; models: readonly string[] },
  ): { visit: StageVisit; requests: ActRequests; startedAt: number } {
    const visit = this.stages.currentVisit;
    visit.assertMayGoOn();
    return { visit, requests: new ActRequests(visit, act, role, models), startedAt: Date.now() };
  }
}

/** The model that performs an action, with its parameters. */
function modelOf(spec: RunSpec, { action, member, agent }: CallRequest<any, any>): ResolvedModel {
  const { roles } = spec.models;
  const ofRole = roles[`${action.role}_${member}`] ?? roles[action.role];
  if (!ofRole) throw new Failed("no_model_configured", `No model is set for the role ${action.role}.`);
  return {
    ...outputBound(spec),
    ...ofRole,
    ...action.decoding,
    ...(agent?.model ? { model: agent.model, fallbacks: [] } : {}),
  };
}

/** Tries of a sampled act whose action states no other number. */
const TRIES = 3;

/** How many times an act is tried until its answer is usable. */
const triesOf = ({ tries: most = TRIES }: Action, { temperature }: ModelParameters) => ({
  most,
  isSampled: temperature !== 0,
});

/** A reservation must bound the output, or a long output would pass the run's limit. */
const outputBound = ({ limits: { max_tokens, max_cost_usd } }: RunSpec): { max_output_tokens?: number } =>
  max_tokens === null && max_cost_usd === null ? {} : { max_output_tokens: UNBOUNDED_OUTPUT };

/** Replaces the model in test mode: the action's rehearsal, with the outcomes and faults that the caller scripted. */
function rehearsal<Input, Output>(
  visit: StageVisit,
  { action, input, iteration, feedback }: CallRequest<Input, Output>,
): NonNullable<ModelCall<Output>["rehearsal"]> {
  const test = visit.instance.spec.test ?? {};
  const outcome = test.script?.[action.name]?.[iteration - 1] ?? action.outcomes[0];
  return {
    content: () => {
      const output = action.rehearse(input, outcome, feedback);
      return typeof output === "string" ? output : JSON.stringify(output);
    },
    nextFault: () => test.faults?.llm?.[visit.calls++] ?? "ok",
    latency_ms: test.latency_ms ?? 0,
  };
}
