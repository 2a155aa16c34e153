import type { WorkflowStep } from "cloudflare:workers";
import type { Artifact } from "#workflow-kit/artifact";
import { Failed, Superseded, Suspend, type Suspension } from "../instance/control";
import { type Instance, notify } from "../instance/instance";
import { orUnavailable, throughOutage } from "./outages";
import { FailedAttempts } from "./failed-attempts";
import { ProviderOutages } from "./provider-outages";
import { Queueing } from "./queueing";
import { StageVisit } from "./stage-visit";
import { childrenEnded } from "#core/wake-ups";
import { onPlatform, Waits } from "./waits";
import type { ErrorCode } from "#core/errors";
import { log } from "#core/log";
import { Unavailable } from "#core/unavailable";
import type { StageKey } from "#store/stages";
import { Rejected } from "#workflow-kit/rejected";

/** A larger step result is refused: the platform stores at most 1 MiB (law 3). Bytes. */
const LARGEST_RESULT = 900_000;
const STAGE_ATTEMPTS = 5;
const STAGE_STEP = {
  retries: { limit: STAGE_ATTEMPTS - 1, delay: 1000, backoff: "exponential" },
  timeout: "30 minutes",
} as const;

/** How a stage's step ended, as data: a step's result loses the classes of errors. */
type StageOutcome<T> =
  | { is: "done"; value: T; pause: number; calls: number }
  | { is: "suspended"; suspension: Suspension; calls: number; attempts: Record<string, number> }
  | { is: "rejected"; artifact: Artifact }
  | { is: "failed"; code: ErrorCode; detail: string }
  | { is: "gone" };

interface VisitOptions {
  /** Whether D1 may hold rows of the stage. */
  readStored: boolean;
  /** Whether a bug now fails the run. */
  isLastAttempt: boolean;
  /** Time that the run has waited since its last visit, milliseconds: no part of its timeout. */
  idle: number;
}

/** The stages of a run in one epoch. Each is a Workflow step; a suspended stage is entered again in a new step. */
export class Stages {
  private readonly attempts = new FailedAttempts();
  private readonly queueing = new Queueing();
  private readonly providers = new ProviderOutages();
  private readonly enteredNames: string[] = [];
  private readonly waits: Waits;
  private openVisit: StageVisit | null = null;
  private doneStage: StageKey | null = null;
  private pause: number;
  private calls = 0;

  /** @param fresh true when this instance is the run's first and was not restarted: D1 then holds nothing of a stage before its first entry */
  constructor(
    private readonly instance: Instance,
    private readonly step: WorkflowStep,
    private readonly fresh: boolean,
  ) {
    this.pause = instance.spec.pause;
    this.waits = new Waits(step);
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

  async play<T>(name: string, fn: () => Promise<T>, iteration: number): Promise<T> {
    const key = this.keyOf(name, iteration);
    const stepName = iteration === 1 ? name : `${name}#${iteration}`;
    let idle = 0;
    for (let entry = 1; ; entry++) {
      if (this.pause) await this.waits.until(`resume_${this.pause}`).then(() => (this.pause = 0));
      const outcome = (await onPlatform(
        (this.step.do as any)(
          entry === 1 ? stepName : `${stepName}~${entry}`,
          STAGE_STEP,
          ({ attempt }: { attempt: number }) =>
            this.visitThroughOutage(key, fn, {
              readStored: !this.fresh || this.instance.epoch > 1 || entry > 1 || attempt > 1,
              isLastAttempt: attempt >= STAGE_ATTEMPTS,
              idle: attempt === 1 ? idle : 0,
            }),
        ),
      )) as StageOutcome<T>;
      switch (outcome.is) {
        case "done":
          this.pause = outcome.pause;
          this.calls = outcome.calls;
          this.doneStage = key;
          return outcome.value;
        case "suspended":
          this.calls = outcome.calls;
          this.attempts.restore(outcome.attempts);
          await this.waitFor(outcome.suspension, `${stepName}~${entry}`);
          idle = outcome.suspension.why === "later" ? outcome.suspension.ms : 0;
          break;
        case "rejected":
          this.doneStage = key;
          throw new Rejected(outcome.artifact);
        case "failed":
          throw new Failed(outcome.code, outcome.detail);
        case "gone":
          throw new Superseded();
      }
    }
  }

  private keyOf(stage: string, iteration: number): StageKey {
    this.enteredNames.push(stage);
    const generation = Math.max(1, ...this.enteredNames.map((name) => this.instance.spec.generations[name] ?? 1));
    return { stage, iteration, generation };
  }

  /** Visits the stage until storage has answered; when that takes long the step ends, and the stage is entered again. */
  private async visitThroughOutage<T>(
    key: StageKey,
    fn: () => Promise<T>,
    entry: VisitOptions,
  ): Promise<StageOutcome<T>> {
    const visited = await throughOutage<StageOutcome<T>>(
      (attempt) => this.visit(key, fn, attempt === 1 ? entry : { ...entry, readStored: true, idle: 0 }),
      this.instance.deps.clock,
    );
    if (visited) return visited.value;
    return { is: "suspended", suspension: { why: "step_is_long" }, calls: this.calls, attempts: this.attempts.all };
  }

  private async visit<T>(
    key: StageKey,
    fn: () => Promise<T>,
    { readStored, isLastAttempt, idle }: VisitOptions,
  ): Promise<StageOutcome<T>> {
    const { run_id, epoch, spec, deps } = this.instance;
    const run = { id: run_id, tenant: spec.tenant, epoch };
    const change = { left: this.doneStage, entered: key, readStored };
    // Waits for storage by itself: on a first entry the first act already calls the model, and that call must not be lost.
    const entering = orUnavailable(
      (attempt) => deps.store.instances.enterStage(run, { ...change, idle: attempt === 1 ? idle : 0 }),
      deps.clock,
    );
    const { calls, queueing, attempts, providers } = this;
    const visit = new StageVisit(this.instance, key, entering, { calls, queueing, attempts, providers });
    this.openVisit = visit;
    try {
      // On a first entry D1 writes the stage's row while the first act already calls the model; the commit of that act waits for it.
      if (readStored) await visit.ready;
      void visit.ready.then(
        () => notify(this.instance, visit.followed, "run.stage_started", "run.stage_completed"),
        () => {}, // those that wait for `ready` report it
      );
      const value = await fn().finally(() => visit.written);
      const size = new TextEncoder().encode(JSON.stringify(value) ?? "").length;
      if (size > LARGEST_RESULT) {
        throw new Failed(
          "result_too_large",
          `The stage ${key.stage} returned ${size} bytes; the platform keeps up to ${LARGEST_RESULT}.`,
        );
      }
      return { is: "done", value, pause: visit.pause, calls: visit.calls };
    } catch (error) {
      if (error instanceof Suspend)
        return { is: "suspended", suspension: error.suspension, calls: visit.calls, attempts: attempts.all };
      if (error instanceof Rejected) return { is: "rejected", artifact: error.artifact };
      if (error instanceof Failed) return { is: "failed", code: error.code, detail: error.detail };
      if (error instanceof Superseded) return { is: "gone" };
      if (error instanceof Unavailable) throw error;
      log.error("stage failed unexpectedly", { run_id, tenant_id: spec.tenant, stage: key.stage, error });
      if (!isLastAttempt) throw error;
      return {
        is: "failed",
        code: "internal_error",
        detail: `The stage ${key.stage} failed because of an internal error; retry continues from its last finished act.`,
      };
    } finally {
      this.openVisit = null;
    }
  }

  /** Waits between two steps until the reason of a suspension has passed. */
  private async waitFor(suspension: Suspension, name: string): Promise<void> {
    switch (suspension.why) {
      case "paused":
        this.pause = suspension.pause;
        return;
      case "waiting":
        await Promise.race(
          [
            ...suspension.interactions,
            ...(suspension.children === undefined ? [] : [childrenEnded(suspension.children)]),
          ].map((type) => this.waits.until(type)),
        );
        return;
      case "later":
        await onPlatform(this.step.sleep(`${name}/later`, suspension.ms));
        return;
      case "step_is_long":
        return;
    }
  }
}
