import { Failed, Superseded, Suspend } from "../instance/control";
import { type Instance, notify } from "../instance/instance";
import type { InstanceMemory } from "./memory";
import { orUnavailable, throughOutage } from "./outages";
import { type Leaving, StageVisit, type StayState } from "./stage-visit";
import { log } from "#core/log";
import { Unavailable } from "#core/unavailable";
import type { StageKey } from "#store/stages";
import { Rejected } from "#workflow-kit/rejected";

/** How the stages of a stay are entered. */
export interface StagesEntry {
  /** True when nothing was ever stored of the run: D1 then holds nothing of a stage before its first entry. */
  fresh: boolean;
  /** Whether a bug now fails the run. */
  isLastAttempt: boolean;
  /** Time that the run has waited since its last stay, milliseconds: no part of its timeout. */
  idle: number;
}

/** The stages of a run in one stay. Those that the instance has finished in an earlier stay return what they returned then. */
export class Stages {
  private readonly enteredNames: string[] = [];
  private readonly stay: StayState = { since: Date.now(), acts: 0, heardAt: Date.now() };
  private openVisit: StageVisit | null = null;
  private doneStage: StageKey | null = null;
  /** The writes of the last finished stage; null: none was visited in this stay. */
  private leaving: Leaving | null = null;
  private pause: number;
  /** The bug that was logged: the stage after it meets it again. */
  private reported: unknown = null;

  constructor(
    private readonly instance: Instance,
    private readonly memory: InstanceMemory,
    private readonly entry: StagesEntry,
  ) {
    this.pause = instance.spec.pause;
  }

  /** The visit under way. */
  get currentVisit(): StageVisit {
    if (!this.openVisit) throw new Error("act, record and ask belong inside a stage");
    return this.openVisit;
  }

  /** The last finished stage; D1 marks it as completed when the next stage is entered or the run ends. */
  get last(): StageKey | null {
    return this.doneStage;
  }

  /** Settled once D1 holds what the finished stages have written. @throws what has kept it from D1, as `Leaving.written` */
  async written(): Promise<void> {
    this.leaving?.hurry();
    await this.leaving?.written;
  }

  /** Visits a stage until storage has answered. @throws Suspend also when storage is away for long: the stage is then entered in another step */
  async play<T>(name: string, fn: () => Promise<T>, iteration: number): Promise<T> {
    const key = this.keyOf(name, iteration);
    const known = this.memory.valueOf(key);
    if (known) {
      this.doneStage = key;
      return known.value as T;
    }
    if (this.pause) throw new Suspend({ why: "paused", pause: this.pause });
    const { idle } = this.entry;
    this.entry.idle = 0;
    const visited = await throughOutage(
      (attempt) =>
        this.visit(key, fn, { readStored: !this.entry.fresh || attempt > 1, idle: attempt === 1 ? idle : 0 }),
      this.instance.deps.clock,
    );
    if (!visited) throw new Suspend({ why: "step_is_long" });
    // Without its writes in D1, the stage is to be visited again.
    this.memory.keep(key, visited.value, this.leaving!.written);
    return visited.value;
  }

  private keyOf(stage: string, iteration: number): StageKey {
    this.enteredNames.push(stage);
    const generation = Math.max(1, ...this.enteredNames.map((name) => this.instance.spec.generations[name] ?? 1));
    return { stage, iteration, generation };
  }

  private async visit<T>(
    key: StageKey,
    fn: () => Promise<T>,
    { readStored, idle }: { readStored: boolean; idle: number },
  ): Promise<T> {
    const { run_id, epoch, spec, deps } = this.instance;
    const run = { id: run_id, tenant: spec.tenant, epoch };
    const change = { left: this.doneStage, entered: key, readStored };
    const { memory, stay, leaving: before } = this;
    // Waits for storage by itself: on a first entry the first act already calls the model, and that call must not be lost.
    const enter = () =>
      orUnavailable(
        (attempt) => deps.store.instances.enterStage(run, { ...change, idle: attempt === 1 ? idle : 0 }),
        deps.clock,
      );
    const entering = before ? before.written.then(enter) : enter();
    const visit = new StageVisit(this.instance, key, entering, { memory, stay, before });
    this.openVisit = visit;
    try {
      // On a first entry D1 writes the stage's row while the first act already calls the model; the commit of that act waits for it.
      if (readStored) await visit.entered;
      void visit.ready.then(
        () => notify(this.instance, visit.followed, "run.stage_started", "run.stage_completed"),
        () => {}, // those that wait for `ready` report it
      );
      const value = await fn();
      this.leaving = await visit.leave((error) => this.explained(key, error));
      this.pause = visit.pause;
      this.doneStage = key;
      return value;
    } catch (thrown) {
      const error = await visit.written.then(
        () => thrown,
        (reason: unknown) => reason,
      );
      if (error instanceof Rejected) this.doneStage = key;
      throw this.explained(key, error);
    } finally {
      this.openVisit = null;
    }
  }

  /** An error of a stage as the run ends with it. A bug stays what it is while the platform tries again, and is at last a failure of the run. */
  private explained({ stage }: StageKey, error: unknown): unknown {
    if (isExpected(error) || error === this.reported) return error;
    this.reported = error;
    const { run_id, spec } = this.instance;
    log.error("stage failed unexpectedly", { run_id, tenant_id: spec.tenant, stage, error });
    if (!this.entry.isLastAttempt) return error;
    return new Failed(
      "internal_error",
      `The stage ${stage} failed because of an internal error; retry continues from its last finished act.`,
    );
  }
}

/** The ways to leave a stage without a value, and storage that does not answer. */
const isExpected = (error: unknown): boolean =>
  [Suspend, Rejected, Failed, Superseded, Unavailable].some((kind) => error instanceof kind);
