import { throughOutage } from "./durable/outages";
import { Failed, Superseded, Suspend, type Suspension } from "./instance/control";
import { type Instance, notify, type RunDependencies } from "./instance/instance";
import type { InstanceMemory } from "./durable/memory";
import type { RunSpec, InstanceParams } from "./instance/spec";
import { WorkflowRun } from "./run";
import { type ErrorCode, problemObject, type ProblemObject } from "#core/errors";
import { log } from "#core/log";
import type { Limits } from "#core/run-settings";
import { parseLimits } from "#core/run-settings";
import { parseModels } from "#llm";
import type { StageKey } from "#store/stages";
import type { Store } from "#store/store";
import { plays, type WorkflowDefinition } from "#workflow-kit/workflow";

/** How a stay begins. */
export interface Entry {
  /** The first attempt at the instance's first step. */
  isFirst: boolean;
  /** Whether a bug now fails the run. */
  isLastAttempt: boolean;
  /** Time that the run has waited since its last stay, milliseconds: no part of its timeout. */
  idle: number;
}

type End = Parameters<Store["instances"]["writeEnd"]>[2];

/** The time from a run's start, or from a wait, to its end or its next wait: one Workflow step. */
export class Stay {
  constructor(
    private readonly params: InstanceParams,
    private readonly workflows: Readonly<Record<string, WorkflowDefinition>>,
    private readonly deps: RunDependencies,
    private readonly memory: InstanceMemory,
    private readonly entry: Entry,
  ) {}

  /**
   * Plays the run until it has ended or has to wait, and writes an end to D1.
   * @returns what the run waits for; null: this epoch is over
   * @throws what the platform shall try again
   */
  async play(): Promise<Suspension | null> {
    try {
      await this.playOn();
      return null;
    } catch (error) {
      if (error instanceof Superseded) return null;
      if (error instanceof Suspend) return error.suspension;
      throw error;
    }
  }

  private async playOn(): Promise<void> {
    const { deps, workflows } = this;
    const spec = await this.inStorage(() => this.begin());
    if (!spec) return;
    if (spec.pause) throw new Suspend({ why: "paused", pause: spec.pause });
    const instance: Instance = { ...this.params, spec, deps };
    const definition = workflows[spec.workflow];
    if (!definition || !plays(definition, spec.workflow_version)) {
      await this.questionsSettled(); // their answers are kept, and `retry` uses them
      return this.end(instance, failed("workflow_changed", changedFrom(definition, spec)), null);
    }
    const { isFirst, isLastAttempt, idle } = this.entry;
    const fresh = isFirst && spec.untouched && this.params.epoch === 1;
    const run = new WorkflowRun(instance, this.memory, { fresh, isLastAttempt, idle }, definition);
    await this.end(instance, await this.outcomeOf(run, definition, spec), run.lastStage);
  }

  /** @throws Suspend, Superseded, or a bug that the platform shall try again */
  private async outcomeOf(run: WorkflowRun, definition: WorkflowDefinition, spec: RunSpec): Promise<End> {
    try {
      const output = await definition.run(run, spec.input, spec.options).finally(() => run.written());
      return { phase: "completed", output };
    } catch (error) {
      if (error instanceof Failed) return failed(error.code, error.detail);
      if (error instanceof Suspend || error instanceof Superseded || !this.entry.isLastAttempt) throw error;
      log.error("workflow failed unexpectedly", { run_id: run.id, tenant_id: spec.tenant, error });
      return failed("internal_error", "The workflow's code failed because of an internal error.");
    }
  }

  /** Works until storage has answered; when that takes long the step ends, and the run is entered again. */
  private async inStorage<T>(work: () => Promise<T>): Promise<T> {
    const done = await throughOutage(work, this.deps.clock);
    if (!done) throw new Suspend({ why: "step_is_long" });
    return done.value;
  }

  /** People who were asked by code that is gone can still answer. @throws Suspend while a question is open */
  private async questionsSettled(): Promise<void> {
    const open = await this.inStorage(() => this.deps.store.interactions.ofRun(this.params.run_id, "open"));
    if (open.length > 0) throw new Suspend({ why: "waiting", interactions: open.map(({ id }) => id) });
  }

  /** Marks the run as started, and reads its specification; null: this epoch is not the run's any more. */
  private async begin(): Promise<RunSpec | null> {
    const { deps } = this;
    const { run_id: id, epoch } = this.params;
    const { store } = deps;
    const begun = await store.instances.markStarted(id, epoch);
    if (!begun) return null;
    const { row, isFirst, followed, owns_keys, listeners, parent_limits } = begun;
    this.memory.ownsKeys = owns_keys;
    const spec: RunSpec = {
      tenant: row.tenant_id,
      workflow: row.workflow,
      workflow_version: row.workflow_version,
      created_at: new Date(row.created_at).toISOString(),
      patches: JSON.parse(row.patches),
      mode: row.mode,
      input: await store.runs.input(row),
      options: await store.runs.options(row),
      models: parseModels(row.models),
      limits: parseLimits(row.limits),
      test: row.test === null ? null : JSON.parse(row.test),
      generations: JSON.parse(row.generations),
      pause: row.paused * row.pauses,
      untouched: isFirst && row.stage === null && row.steps_done === 0,
      parent: row.parent_id === null ? null : { id: row.parent_id, limited: isLimited(parent_limits) },
      listeners: listeners.map(({ id: endpoint, events }) => ({
        id: endpoint,
        events: JSON.parse(events) as string[],
      })),
    };
    if (this.entry.isFirst) {
      log.debug("run started", { run_id: id, tenant_id: spec.tenant, workflow: spec.workflow, epoch });
      notify({ run_id: id, spec, deps }, followed, "run.started");
    }
    return spec;
  }

  private async end(instance: Instance, outcome: End, lastStage: StageKey | null): Promise<void> {
    const { run_id, epoch, spec, deps } = instance;
    const { canceled, followed, next_waits } = await this.inStorage(() =>
      deps.store.instances.writeEnd(run_id, epoch, outcome, lastStage),
    );
    const fields = { run_id, tenant_id: spec.tenant, workflow: spec.workflow, epoch };
    if (outcome.phase === "completed") log.info("run completed", fields);
    else log.warn("run failed", { ...fields, code: (outcome.error as ProblemObject).code });
    notify(instance, followed, `run.${outcome.phase}`);
    await deps.wakeCanceled(canceled);
    if (next_waits) await deps.startNext(spec.tenant);
    if (spec.parent) await deps.wakeParent(spec.parent.id);
  }
}

const failed = (code: ErrorCode, detail: string): End => ({ phase: "failed", error: problemObject(code, detail) });

/** Why the code cannot play a run any more (law 11). */
function changedFrom(definition: WorkflowDefinition | undefined, spec: RunSpec): string {
  const { plays_from = 1, version } = definition ?? { version: 0 };
  const now = definition ? `plays versions ${plays_from} to ${version}` : "is gone";
  return `The run was begun by version ${spec.workflow_version} of ${spec.workflow}, which now ${now}.`;
}

const isLimited = (limits: string | null): boolean => {
  const {
    max_llm_calls = null,
    max_tokens = null,
    max_cost_usd = null,
  } = JSON.parse(limits ?? "{}") as Partial<Limits>;
  return max_llm_calls !== null || max_tokens !== null || max_cost_usd !== null;
};
