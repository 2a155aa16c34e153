import type { WorkflowStep } from "cloudflare:workers";
import type { Artifact } from "#workflow-kit/artifact";
import { Failed, Superseded, Suspend, type Suspension } from "../instance/control";
import { type Instance, notify } from "../instance/instance";
import { Queueing } from "./queueing";
import { StageVisit } from "./stage-visit";
import { onPlatform, Waits } from "./waits";
import type { ErrorCode } from "#core/errors";
import { log } from "#core/log";
import type { StageKey } from "#store/stages";
import { Rejected } from "#workflow-kit/rejected";

/** A step's result larger than this is refused: the platform stores at most 1 MiB (law 3). Bytes. */
const LARGEST_RESULT = 900_000;
const STAGE_ATTEMPTS = 5;
const STAGE_STEP = {
  retries: { limit: STAGE_ATTEMPTS - 1, delay: 1000, backoff: "exponential" },
  timeout: "30 minutes",
} as const;

/** How a stage's step ended, as data: class identity does not survive the way out of a step. */
type StageOutcome<T> =
  | { is: "done"; value: T; pause: number; calls: number }
  | { is: "suspended"; suspension: Suspension; calls: number; attempts: Record<string, number> }
  | { is: "rejected"; artifact: Artifact }
  | { is: "failed"; code: ErrorCode; detail: string }
  | { is: "gone" };

/** The stages of a run, as one epoch of it goes through them: each a Workflow step, which is left and entered again. */
export class Stages {
  /** Attempts that acts have used up, kept over suspensions: a provider that asks to wait again and again is given up on. */
  attempts: Record<string, number> = {};
  private readonly entered: string[] = [];
  private readonly queueing = new Queueing();
  private readonly waits: Waits;
  private openVisit: StageVisit | null = null;
  private toLeave: StageKey | null = null;
  private pause: number;
  private calls = 0;

  /**
   * @param fresh true while this object has seen the run from its very beginning: then a stage entered for the first time cannot
   *   have stored anything, and is not looked up
   */
  constructor(
    private readonly instance: Instance,
    private readonly step: WorkflowStep,
    private readonly fresh: boolean,
  ) {
    this.pause = instance.spec.pause;
    this.waits = new Waits(step);
  }

  /** The stay that is under way. */
  get currentVisit(): StageVisit {
    if (!this.openVisit) throw new Error("act, record and ask belong inside a stage");
    return this.openVisit;
  }

  /** The stage that the next one, or the run's end, closes. */
  get last(): StageKey | null {
    return this.toLeave;
  }

  async play<T>(name: string, fn: () => Promise<T>, iteration: number): Promise<T> {
    const key = this.keyOf(name, iteration);
    const stepName = iteration === 1 ? name : `${name}#${iteration}`;
    for (let entry = 1; ; entry++) {
      if (this.pause) await this.waits.until(`resume_${this.pause}`).then(() => (this.pause = 0));
      const outcome = (await onPlatform(
        (this.step.do as any)(
          entry === 1 ? stepName : `${stepName}~${entry}`,
          STAGE_STEP,
          ({ attempt }: { attempt: number }) =>
            this.visit(key, fn, {
              remember: !this.fresh || this.instance.epoch > 1 || entry > 1 || attempt > 1,
              lastAttempt: attempt >= STAGE_ATTEMPTS,
            }),
        ),
      )) as StageOutcome<T>;
      switch (outcome.is) {
        case "done":
          this.pause = outcome.pause;
          this.calls = outcome.calls;
          this.toLeave = key;
          return outcome.value;
        case "suspended":
          this.calls = outcome.calls;
          this.attempts = outcome.attempts;
          await this.sitOut(outcome.suspension, `${stepName}~${entry}`);
          break;
        case "rejected":
          this.toLeave = key;
          throw new Rejected(outcome.artifact);
        case "failed":
          throw new Failed(outcome.code, outcome.detail);
        case "gone":
          throw new Superseded();
      }
    }
  }

  private keyOf(stage: string, iteration: number): StageKey {
    this.entered.push(stage);
    const generation = Math.max(1, ...this.entered.map((name) => this.instance.spec.generations[name] ?? 1));
    return { stage, iteration, generation };
  }

  private async visit<T>(
    key: StageKey,
    fn: () => Promise<T>,
    how: { remember: boolean; lastAttempt: boolean },
  ): Promise<StageOutcome<T>> {
    const { run_id, epoch, spec, deps } = this.instance;
    const entering = deps.store.instances.enterStage(run_id, epoch, this.toLeave, key, how.remember);
    const run = { id: run_id, tenant: spec.tenant, epoch, code_version: deps.code_version };
    const segment = new StageVisit(key, entering, spec.limits, this.calls, this.queueing, (artifacts) =>
      deps.store.artifacts.commit(run, artifacts),
    );
    this.openVisit = segment;
    try {
      // On a first entry the stage's row is written while its first act already calls the model; its commit waits for it.
      if (how.remember) await segment.ready;
      notify(this.instance, "run.stage_started", "run.stage_completed");
      const value = await fn().finally(() => segment.written);
      const size = new TextEncoder().encode(JSON.stringify(value) ?? "").length;
      if (size > LARGEST_RESULT) {
        throw new Failed(
          "result_too_large",
          `The stage ${key.stage} returned ${size} bytes; the platform keeps up to ${LARGEST_RESULT}.`,
        );
      }
      return { is: "done", value, pause: segment.pause, calls: segment.calls };
    } catch (error) {
      const { calls } = segment;
      if (error instanceof Suspend)
        return { is: "suspended", suspension: error.suspension, calls, attempts: this.attempts };
      if (error instanceof Rejected) return { is: "rejected", artifact: error.artifact };
      if (error instanceof Failed) return { is: "failed", code: error.code, detail: error.detail };
      if (error instanceof Superseded) return { is: "gone" };
      log.error("stage failed unexpectedly", {
        run_id,
        tenant_id: spec.tenant,
        stage: key.stage,
        error,
      });
      if (!how.lastAttempt) throw error;
      return {
        is: "failed",
        code: "internal_error",
        detail: `The stage ${key.stage} failed for a reason of ours; retry goes on from its last finished act.`,
      };
    } finally {
      this.openVisit = null;
    }
  }

  /** Waits outside of steps for what a stage was suspended for. */
  private async sitOut(suspension: Suspension, name: string): Promise<void> {
    switch (suspension.why) {
      case "paused":
        this.pause = suspension.pause;
        return;
      case "waiting":
        await Promise.race(suspension.interactions.map((id) => this.waits.until(id)));
        return;
      case "later":
        await onPlatform(this.step.sleep(`${name}/later`, suspension.ms));
        return;
      case "step_is_long":
        return;
    }
  }
}
