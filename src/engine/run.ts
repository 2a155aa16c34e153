import { type Action, type Feedback, inProfile } from "#workflow-kit/action";
import type { Artifact, DocumentReference } from "#workflow-kit/artifact";
import { createChildRuns } from "./children/children";
import { RunFailedError, isOfAnswer } from "./instance/signals";
import { askModel } from "./calls/models";
import { createRetrieval } from "./calls/retrieval";
import { createDatasets } from "./durable/datasets";
import { parallel } from "./durable/parallel";
import type { StageExecution } from "./durable/stage-execution";
import type { Stages } from "./durable/stages";
import { commitLater, commitOnce, readArtifacts, stepName } from "./durable/steps";
import { ask, review } from "./people/people";
import { createPrograms } from "./programs/programs";
import { MOCK_MODEL } from "#llm";
import type { Clarification, ClarificationReply, Consultation, ConsultationReply } from "#workflow-kit/questions";
import type {
  StepOptions,
  StepResult,
  RecordEntry,
  Run,
  RunInfo,
  RunModels,
  SharedTestSettings,
} from "#workflow-kit/run";

/** The `Run` of a workflow: one object for one segment of a run. */
export class WorkflowRun implements Run {
  readonly id: string;
  readonly info: RunInfo;
  readonly models: RunModels;
  readonly seed: number | null;
  readonly isTestMode: boolean;
  readonly testSettings: SharedTestSettings | null;
  readonly retrieval;
  readonly programs;
  readonly children;
  readonly datasets;

  constructor(private readonly stages: Stages) {
    const { run_id, spec, deps } = stages.instance;
    const { created_at, workflow_version } = spec;
    const { script: _, ...shared } = spec.test ?? {};
    this.id = run_id;
    this.info = { created_at, workflow_version, code_version: deps.code_version };
    this.models = modelsOf(stages);
    this.seed = spec.models.seed;
    this.isTestMode = spec.mode === "test";
    this.testSettings = Object.keys(shared).length > 0 ? shared : null;
    this.retrieval = createRetrieval(stages);
    this.programs = createPrograms(stages);
    this.children = createChildRuns(stages);
    this.datasets = createDatasets(stages);
  }

  stage<T>(name: string, fn: () => Promise<T>, { iteration = 1 }: { iteration?: number } = {}): Promise<T> {
    return this.stages.run(name, fn, iteration);
  }

  async step<Input, Output>(
    written: Action<Input, Output>,
    input: Input,
    options: StepOptions = {},
  ): Promise<Artifact<Output>> {
    const stage = this.stages.current;
    const { profile, reviews } = stage.instance.spec.options;
    const action = inProfile(written, profile);
    const perform = (name: string, feedback?: Feedback<Output>) =>
      performAction(stage, name, action, input, options, feedback);
    const first = await perform(stepName(stage, action.name, options));
    if (!reviews.includes(action.kind)) return first;
    return review(stage, first, { action, input, options, perform });
  }

  async tryStep<Input, Output>(
    action: Action<Input, Output>,
    input: Input,
    options: StepOptions = {},
  ): Promise<StepResult<Output>> {
    const { failures } = this.stages.memory;
    const name = stepName(this.stages.current, action.name, options);
    const known = failures.get(name);
    if (known) return { artifact: null, failure: known };
    try {
      return { artifact: await this.step(action, input, options), failure: null };
    } catch (error) {
      if (!(error instanceof RunFailedError) || !(isOfAnswer(error.code) || error.code === "budget_exceeded"))
        throw error;
      const failure = { code: error.code, detail: error.detail };
      failures.set(name, failure);
      return { artifact: null, failure };
    }
  }

  async record<T>({ content, ...entry }: RecordEntry<T>): Promise<Artifact<T>> {
    return this.compute(entry, () => content);
  }

  async compute<T>(entry: Omit<RecordEntry<T>, "content">, make: () => T | Promise<T>): Promise<Artifact<T>> {
    const stage = this.stages.current;
    const { name, by } = recordOf(stage, entry);
    return commitOnce(stage, name, by, entry, async () => ({ content: await make() }));
  }

  recordLater<T>(entry: Omit<RecordEntry<T>, "content">, make: () => T): DocumentReference {
    const stage = this.stages.current;
    const { name, by } = recordOf(stage, entry);
    return commitLater(stage, name, by, entry, make);
  }

  read<T>(references: readonly DocumentReference[]): Promise<Artifact<T>[]> {
    return readArtifacts(this.stages.current, references);
  }

  ask(question: Clarification): Promise<ClarificationReply>;
  ask<Additions>(question: Consultation<Additions>): Promise<ConsultationReply<Additions>>;
  ask(question: Clarification | Consultation<unknown>): Promise<ClarificationReply | ConsultationReply<unknown>> {
    return ask(this.stages.current, question);
  }

  parallel<T, R>(items: readonly T[], fn: (item: T, index: number) => Promise<R>, limit = 8): Promise<R[]> {
    return parallel(items, fn, limit);
  }
}

function modelsOf({ instance: { spec } }: Stages): RunModels {
  const { roles, default: model, embedding } = spec.models;
  const isTestMode = spec.mode === "test";
  return {
    of: (role, member) => (isTestMode ? MOCK_MODEL : (roles[`${role}_${member}`] ?? roles[role])!.model),
    default: isTestMode ? MOCK_MODEL : model,
    embedding,
  };
}

/** One model call as a step. */
function performAction<Input, Output>(
  stage: StageExecution,
  name: string,
  action: Action<Input, Output>,
  input: Input,
  options: StepOptions,
  feedback?: Feedback<Output>,
): Promise<Artifact<Output>> {
  const { iteration = stage.key.iteration, member, seed } = options;
  return commitOnce(stage, name, action, options, async () => {
    const { value, provenance } = await askModel(stage, {
      action,
      input,
      step: name,
      iteration,
      member,
      seed,
      feedback,
    });
    return { content: value, ...provenance };
  });
}

/** The name and the maker of a step without a model. */
function recordOf(
  stage: StageExecution,
  { action, kind, role, mediaType, ...entry }: Omit<RecordEntry<unknown>, "content">,
) {
  const key = `${kind}.${entry.key ?? entry.iteration ?? stage.key.iteration}`;
  return { name: stepName(stage, action, { key }), by: { name: action, kind, role, media_type: mediaType } };
}
