/** Runs of workflows that a test writes itself, run by the engine on a stand-in for the platform. */
import { z } from "zod";
import { bindings } from "./parley";
import { type Action, defineAction } from "#workflow-kit/action";
import type { RunDependencies } from "#engine/instance/instance";
import type { Run } from "#workflow-kit/run";
import type { WorkflowDefinition } from "#workflow-kit/workflow";
import { newId } from "#core/ids";
import { DEFAULT_LIMITS } from "#core/run-settings";
import type { Llm, ModelCall } from "#llm";
import { Store } from "#store/store";

const NAME = "toy";

/** The smallest action. */
export const TOY_ACTION: Action<object, string> = defineAction<object, string>({
  name: "step",
  role: "r",
  kind: "k",
  summary: "",
  prompt: "# System\nS\n\n# User\nU\n",
  variables: () => ({}),
  outcomes: ["x"],
  mock: () => "x",
});

/** The workflows of a server with only one, which this function implements. */
export const toyWorkflow = (
  run: (run: Run) => Promise<object>,
  given: Partial<WorkflowDefinition> = {},
): Record<string, WorkflowDefinition> => ({
  [NAME]: {
    name: NAME,
    version: 1,
    title: "Toy",
    summary: "",
    source: { title: "None", url: null },
    stages: ["one", "two"],
    roles: [{ name: TOY_ACTION.role, summary: "", decoding: {} }],
    actions: [TOY_ACTION],
    kinds: Object.fromEntries(
      [TOY_ACTION.kind, "note", "more", "child_runs"].map((kind) => [kind, { summary: "", send_to: ["all"] }]),
    ),
    review_kinds: [],
    input: z.unknown(),
    options: z.unknown(),
    output: z.unknown(),
    example: { input: {} },
    about: () => ({ title: null, excerpt: "" }),
    run,
    ...given,
  },
});

/** What a test may set of a run of the toy workflow. */
interface ToySettings {
  options?: object;
  /** Of the only role. */
  model?: object;
  /** `models.seed` */
  seed?: number;
  limits?: object;
  /** By default live. */
  mode?: "test" | "live";
}

/** Writes the row of a run of the toy workflow, and starts no instance. Returns its id. */
export async function newToyRun(
  store: Store,
  tenant: string,
  { options, model, seed, limits, mode = "live" }: ToySettings = {},
) {
  const id = newId("run");
  await store.runs.create(
    {
      id,
      tenant_id: tenant,
      workflow: NAME,
      workflow_version: 1,
      mode,
      input: {},
      options: { profile: "default", reviews: [], interaction_timeout: "7d", on_expiry: "proceed", ...options },
      models: {
        default: "x/y",
        embedding: null,
        roles: { [TOY_ACTION.role]: { model: "x/y", ...model } },
        seed: seed ?? null,
      },
      limits: { ...DEFAULT_LIMITS, ...limits },
      metadata: {},
      test: null,
      origin: "http://x",
      asks_about: [],
      about: { title: null, excerpt: "" },
      requested_by: null,
      webhook: null,
    },
    1000,
  );
  // On a busy machine a test is silent for longer than the maintenance worker allows, and the Worker, which knows no such workflow, would fail the run.
  await bindings.DB.prepare("UPDATE runs SET nudged_at = ?2 WHERE id = ?1").bind(id, Number.MAX_SAFE_INTEGER).run();
  return id;
}

/** Any use of it fails the test, with the name of the missing property. */
const missing = <T extends object>(name: string): T =>
  new Proxy(
    {},
    {
      get: () => {
        throw new Error(`The test gave no ${name}.`);
      },
    },
  ) as T;

/** The dependencies of a run: D1 and R2 of the test server, and the others that the test gives. */
export const toyDependencies = (given: Partial<RunDependencies> = {}): RunDependencies => ({
  code_version: "0",
  store: new Store(bindings.DB, bindings.BUCKET),
  llm: missing("llm"),
  llm_timeout_ms: 1000,
  gates: missing("gates"),
  agents: missing("agents"),
  runProgram: () => Promise.reject(new Error("The test gave no runProgram.")),
  retrieval: missing("retrieval"),
  papers: missing("papers"),
  children: missing("children"),
  wakeCanceled: async () => {},
  wakeParent: async () => {},
  startNext: async () => {},
  wakeWebhookSenders: () => {},
  announceEvents: () => {},
  reportCalls: () => {},
  ...given,
});

const USAGE = {
  llm_calls: 1,
  input_tokens: 1,
  cached_input_tokens: 0,
  output_tokens: 1,
  reasoning_tokens: 0,
  cost_usd: null,
};

/** A model that answers each call with what `answer` resolves to. */
export const toyModel = (answer: (call: ModelCall<any>) => Promise<unknown>): Llm => ({
  complete: async <T>(call: ModelCall<T>) => ({
    value: (await answer(call)) as T,
    model: "x/y",
    parameters: (({ model: _, fallbacks: __, ...parameters }) => parameters)(call.model),
    dropped_parameters: {},
    response_model: null,
    output_mode: "markdown",
    repairs: 0,
    tool_calls: [],
    usage: USAGE,
  }),
  embed: () => Promise.reject(new Error("The test gave no encoder.")),
  models: () => Promise.reject(new Error("The test gave no list of models.")),
  providers: missing("providers"),
});
