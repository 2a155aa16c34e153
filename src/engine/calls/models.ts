import type { Action, Feedback } from "#workflow-kit/action";
import { StepRequests } from "./step-requests";
import { RunFailedError } from "../instance/signals";
import { outputFormat } from "./output-format";
import { packVectors } from "./packed-vectors";
import { renderPrompt } from "./prompt";
import { seedOfCall } from "./seeds";
import type { RunSpec } from "../instance/spec";
import type { StageExecution } from "../durable/stage-execution";
import {
  type ModelCall,
  type ModelParameters,
  type ModelTool,
  MOCK_MODEL,
  type ResolvedModel,
  UNBOUNDED_OUTPUT,
} from "#llm";
import { log } from "#core/log";
import type { EmbeddingAccount } from "#retrieval/embedder";

export interface CallRequest<Input, Output> {
  action: Action<Input, Output>;
  input: Input;
  step: string;
  iteration: number;
  member?: number | undefined;
  seed?: number | undefined;
  feedback?: Feedback<Output> | undefined;
  /** Of a worker agent's step: its own model, if it has one, and its tools. */
  agent?: { model: string | null; tools: readonly ModelTool[] } | undefined;
}

/** The model calls of a stage's steps. They throw as `StepRequests.withRetries` does. */

/** A model's answer, with the provenance for its artifact. */
export async function askModel<Input, Output>(stage: StageExecution, request: CallRequest<Input, Output>) {
  const { action, input, step, feedback, agent } = request;
  const { spec, deps } = stage.instance;
  stage.assertMayContinue();
  const startedAt = Date.now();
  const { model: first, fallbacks = [], ...parameters } = modelOf(spec, request);
  const requests = new StepRequests(stage, step, action.role, [first, ...fallbacks]);
  const prompt = renderPrompt(action, input, feedback);
  const seeded = (nth: number) => ({ ...parameters, ...seedOfCall(spec, parameters, request, nth) });
  const call: Omit<ModelCall<Output>, "model" | keyof ReturnType<StepRequests["callOptions"]>> = {
    system: prompt.system,
    user: prompt.user,
    output: outputFormat(action, input),
    ...(agent?.tools.length ? { tools: agent.tools } : {}),
    ...(spec.mode === "test" ? { mock: mockOf(stage, request) } : {}),
  };
  const { answer, tries } = await requests.withTries(triesOf(action, parameters), (model, nth) =>
    deps.llm.complete({ ...call, ...requests.callOptions(model), model: { model, ...seeded(nth) } }),
  );
  const { value, tool_calls, usage: _, ...answered } = answer;
  const { usage, reserved: released } = requests;
  const duration_ms = Date.now() - startedAt;
  log.debug("step answered", {
    ...requests.logFields,
    provider: answered.model.split("/", 1)[0],
    model: answered.model,
    ms: duration_ms,
    ...usage,
    content: { system: prompt.system, user: prompt.user, answer: value },
  });
  const provenance = {
    ...answered,
    prompt_hash: prompt.hash,
    tries,
    usage,
    released,
    duration_ms,
  };
  return { value, tool_calls, provenance };
}

/** Texts (1 to `MAX_TEXTS`) as vectors, with the provenance for their artifact. */
export async function encode(
  stage: StageExecution,
  { model, texts, step }: { model: string; texts: readonly string[]; step: string },
) {
  const { spec, deps } = stage.instance;
  stage.assertMayContinue();
  const startedAt = Date.now();
  const requests = new StepRequests(stage, step, null, [model]);
  const mock = spec.mode === "test";
  const { vectors, model: label } = await requests.withRetries((asked) =>
    deps.llm.embed({ ...requests.callOptions(asked), model: asked, texts, mock }),
  );
  const { usage, reserved: released } = requests;
  const provenance = { model: label, usage, released, duration_ms: Date.now() - startedAt };
  return { content: packVectors(label, vectors), provenance };
}

/** The result of work that may ask for vectors, with the provenance for its artifact. */
export async function withEmbeddings<T>(
  stage: StageExecution,
  step: string,
  work: (account: EmbeddingAccount) => Promise<T>,
) {
  stage.assertMayContinue();
  const { embedding } = stage.instance.spec.models;
  const requests = new StepRequests(stage, step, null, [embedding ?? MOCK_MODEL]);
  const value = await requests.withRetries(() => work(requests));
  return { value, provenance: { usage: requests.usage, released: requests.reserved } };
}

/** The model that performs an action, with its parameters. */
function modelOf(spec: RunSpec, { action, member, agent }: CallRequest<any, any>): ResolvedModel {
  const { roles } = spec.models;
  const ofRole = roles[`${action.role}_${member}`] ?? roles[action.role];
  if (!ofRole) throw new RunFailedError("no_model_configured", `No model is set for the role ${action.role}.`);
  return {
    ...outputBound(spec),
    ...ofRole,
    ...action.decoding,
    ...(agent?.model ? { model: agent.model, fallbacks: [] } : {}),
  };
}

/** Tries of a sampled step whose action states no other number. */
const TRIES = 3;

/** How many times a step is tried until its answer is usable. */
const triesOf = ({ tries: most = TRIES }: Action, { temperature }: ModelParameters) => ({
  most,
  isSampled: temperature !== 0,
});

/** A reservation must bound the output, or a long output would pass the run's limit. */
const outputBound = ({ limits: { max_tokens, max_cost_usd } }: RunSpec): { max_output_tokens?: number } =>
  max_tokens === null && max_cost_usd === null ? {} : { max_output_tokens: UNBOUNDED_OUTPUT };

/** Replaces the model in test mode: the action's mock, with the outcomes and faults that the caller scripted. */
function mockOf<Input, Output>(
  stage: StageExecution,
  { action, input, iteration, feedback }: CallRequest<Input, Output>,
): NonNullable<ModelCall<Output>["mock"]> {
  const test = stage.instance.spec.test ?? {};
  const outcome = test.script?.[action.name]?.[iteration - 1] ?? action.outcomes[0];
  return {
    content: () => {
      const output = action.mock(input, outcome, feedback);
      return typeof output === "string" ? output : JSON.stringify(output);
    },
    nextFault: () => test.faults?.llm?.[stage.memory.calls++] ?? "ok",
    latency_ms: test.latency_ms ?? 0,
  };
}
