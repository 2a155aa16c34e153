import { RunFailedError, StaleEpochError, SuspendSignal } from "../instance/signals";
import { type Instance, notify } from "../instance/instance";
import type { InstanceMemory } from "./memory";
import { orUnavailable, throughOutage } from "./outages";
import { type SegmentState, StageExecution } from "./stage-execution";
import type { StageWrites } from "./stage-writes";
import { log } from "#core/log";
import { StorageUnavailableError } from "#core/unavailable";
import type { StageKey } from "#store/stages";
import { ReviewRejectedError } from "#workflow-kit/rejected";

/** D1 has said recently that the run is neither paused nor canceled when it has done so within this time. Milliseconds. */
const RECENT_MS = 1000;

/** How the stages of a segment are entered. */
export interface StagesEntry {
  /** True when nothing was ever stored of the run: D1 then holds nothing of a stage before its first entry. */
  fresh: boolean;
  /** Whether a bug now fails the run. */
  isLastAttempt: boolean;
  /** Time that the run has waited since its last segment, milliseconds: no part of its timeout. */
  idle: number;
}

/** The stages of a run in one segment. Those that the instance has finished in an earlier segment return what they returned then. */
export class Stages {
  private readonly enteredNames: string[] = [];
  private readonly segment: SegmentState = { startedAt: Date.now(), steps: 0, lastCheckedAt: Date.now() };
  private executing: StageExecution | null = null;
  private finished: StageKey | null = null;
  /** The last finished stage's writes, and when they are stored; null: this segment has finished none. */
  private previous: { writes: StageWrites; stored: Promise<void> } | null = null;
  private pause: number;
  /** The bug that was logged: the stage after it fails with it, too. */
  private reported: unknown = null;

  constructor(
    readonly instance: Instance,
    readonly memory: InstanceMemory,
    private readonly entry: StagesEntry,
  ) {
    this.pause = instance.spec.pause;
  }

  /** The stage that is being executed. */
  get current(): StageExecution {
    if (!this.executing) throw new Error("A run's steps and questions belong inside a stage");
    return this.executing;
  }

  /** The last finished stage; D1 marks it as completed when the next stage is entered or the run ends. */
  get last(): StageKey | null {
    return this.finished;
  }

  /** Waits until D1 holds the writes of the finished stages. @throws what has kept them from D1; SuspendSignal when storage has */
  async drain(): Promise<void> {
    this.previous?.writes.flush();
    await this.previous?.stored;
  }

  /**
   * Runs a stage until storage has answered.
   * @throws SuspendSignal also when storage is away for long: the stage is then executed again in the next segment
   */
  async run<T>(name: string, fn: () => Promise<T>, iteration: number): Promise<T> {
    const key = this.keyOf(name, iteration);
    const known = this.memory.resultOf(key);
    if (known) {
      this.finished = key;
      return known.value as T;
    }
    if (this.pause) throw new SuspendSignal({ why: "paused", pause: this.pause });
    const { idle } = this.entry;
    this.entry.idle = 0;
    const executed = await throughOutage(
      (attempt) =>
        this.execute(key, fn, { readStored: !this.entry.fresh || attempt > 1, idle: attempt === 1 ? idle : 0 }),
      this.instance.deps.clock,
    );
    if (!executed) throw new SuspendSignal({ why: "segment_is_long" });
    // Without its writes in D1, the stage must be executed again.
    this.memory.keepResult(key, executed.value, this.previous!.stored);
    return executed.value;
  }

  private keyOf(stage: string, iteration: number): StageKey {
    this.enteredNames.push(stage);
    const generation = Math.max(1, ...this.enteredNames.map((name) => this.instance.spec.generations[name] ?? 1));
    return { stage, iteration, generation };
  }

  private async execute<T>(
    key: StageKey,
    fn: () => Promise<T>,
    { readStored, idle }: { readStored: boolean; idle: number },
  ): Promise<T> {
    const stage = this.enter(key, readStored, idle);
    this.executing = stage;
    try {
      // On a first entry D1 writes the stage's row while the first step already calls the model; the commit of that step waits for it.
      if (readStored) await stage.writes.untilEntered();
      void stage.entered.then(
        () => notify(this.instance, stage.followed, "run.stage_started", "run.stage_completed"),
        () => {}, // whoever waits for `entered` reports it
      );
      const value = await fn();
      await this.leave(stage);
      return value;
    } catch (thrown) {
      const error = await stage.writes.drain().then(
        () => thrown,
        (reason: unknown) => reason,
      );
      if (error instanceof ReviewRejectedError) this.finished = key;
      throw this.explained(key, error);
    } finally {
      this.executing = null;
    }
  }

  /** Writes that the stage was entered, after the writes of the stage before, and reads what D1 holds of it. */
  private enter(key: StageKey, readStored: boolean, idle: number): StageExecution {
    const { memory, segment, previous, instance } = this;
    const { run_id, epoch, spec, deps } = instance;
    const run = { id: run_id, tenant: spec.tenant, epoch };
    const change = { left: this.finished, entered: key, readStored };
    // Waits for storage by itself: on a first entry the first step already calls the model, and that call must not be lost.
    const enter = () =>
      orUnavailable(
        (attempt) => deps.store.instances.enterStage(run, { ...change, idle: attempt === 1 ? idle : 0 }),
        deps.clock,
      );
    const entering = previous ? previous.stored.then(enter) : enter();
    return new StageExecution(instance, memory, key, entering, { segment, previous: previous?.writes ?? null });
  }

  /**
   * The stage has returned: the next one starts while D1 takes the rest of its writes. When D1 has not confirmed recently that the run continues,
   * this waits for the writes: otherwise the next stage would pay for calls of a run that was canceled meanwhile.
   */
  private async leave(stage: StageExecution): Promise<void> {
    const { key, writes } = stage;
    if (Date.now() - this.segment.lastCheckedAt > RECENT_MS) await writes.drain();
    const stored = writes.drainLater().catch((error: unknown) => {
      throw error instanceof StorageUnavailableError
        ? new SuspendSignal({ why: "segment_is_long" })
        : this.explained(key, error);
    });
    stored.catch(() => {}); // the next stage, or the end of the run, awaits it
    this.previous = { writes, stored };
    this.pause = stage.pause;
    this.finished = key;
  }

  /** An error of a stage as the run ends with it. A bug stays what it is while the platform tries again, and at last fails the run. */
  private explained({ stage }: StageKey, error: unknown): unknown {
    if (isExpected(error) || error === this.reported) return error;
    this.reported = error;
    const { run_id, spec } = this.instance;
    log.error("stage failed unexpectedly", { run_id, tenant_id: spec.tenant, stage, error });
    if (!this.entry.isLastAttempt) return error;
    return new RunFailedError(
      "internal_error",
      `The stage ${stage} failed because of an internal error; retry continues from its last finished step.`,
    );
  }
}

/** The ways to leave a stage without a value, and storage that does not answer. */
const isExpected = (error: unknown): boolean =>
  [SuspendSignal, ReviewRejectedError, RunFailedError, StaleEpochError, StorageUnavailableError].some(
    (kind) => error instanceof kind,
  );
