import { durationMs } from "#core/duration";
import { Failed, Superseded, Suspend } from "../instance/control";
import type { Queueing } from "./queueing";
import type { RunSpec } from "../instance/spec";
import { CommitQueue } from "./commit-queue";
import { parallel } from "./parallel";
import { withRetry } from "#core/retry";
import type { Commitment, NewArtifact } from "#store/artifacts";
import type { ArtifactRow, InteractionRow } from "#store/rows";
import type { RunClock, StoredStage } from "#store/instances";
import type { StageKey } from "#store/stages";

/** A Workflow step ends after this and is entered again, so that no step grows without bound. Milliseconds. */
const LONGEST_STEP_MS = 10 * 60_000;

/** An interaction whose outcome later steps were given; an instance of any epoch meets it again (law 2). */
export const isReusable = (row: InteractionRow): boolean =>
  row.status === "answered" || (row.status === "expired" && row.on_expiry === "proceed");

/**
 * One stay in a stage, inside one Workflow step: what D1 held when it was entered, and what each write since has said of the run's
 * pause and clock.
 */
export class StageVisit {
  readonly artifacts = new Map<string, ArtifactRow>();
  readonly interactions = new Map<string, InteractionRow>();
  /** Settled once D1 knows that the stage was entered; fails with `Gone`. */
  readonly ready: Promise<void>;
  readonly commits: CommitQueue;
  /** How many calls the run has made: tells which of `test.faults.llm` comes next. */
  calls: number;
  private clock: RunClock = { pause: 0, active_ms: 0, active_since: null };
  private settled: Promise<void>;
  private readonly enteredAt = Date.now();

  constructor(
    readonly key: StageKey,
    entering: Promise<StoredStage>,
    private readonly limits: RunSpec["limits"],
    calls: number,
    readonly queueing: Queueing,
    commit: (artifacts: readonly NewArtifact[]) => Promise<(Commitment | null)[]>,
  ) {
    this.calls = calls;
    this.ready = entering.then((memory) => this.remember(memory));
    this.settled = this.ready;
    this.settled.catch(() => {}); // seen by whoever awaits it
    this.commits = new CommitQueue(async (artifacts) => {
      await this.ready;
      return withRetry(() => commit(artifacts));
    });
  }

  /** What is done while the stage goes on, and must be done before it ends or waits for a person, also when some of it fails. */
  follow(work: Promise<void>): void {
    this.settled = parallel([this.settled, work], (one) => one, 2).then(() => {});
    this.settled.catch(() => {}); // seen by whoever awaits it
  }

  /** All that the stage has begun to write stands in D1. */
  get written(): Promise<void> {
    return this.settled;
  }

  private remember({ run, artifacts, interactions }: StoredStage): void {
    if (!run) throw new Superseded();
    this.calls = Math.max(this.calls, run.llm_calls);
    this.observe(run);
    this.queueing.restore(run.queued_ms);
    for (const row of artifacts) this.artifacts.set(row.act, row);
    for (const row of interactions.sort((a, b) => a.epoch - b.epoch)) {
      const known = this.interactions.get(row.act);
      if (!known || !isReusable(known)) this.interactions.set(row.act, row);
    }
  }

  /** Takes in what a commit said. */
  observe(clock: RunClock): void {
    this.clock = { pause: clock.pause, active_ms: clock.active_ms, active_since: clock.active_since };
  }

  get pause(): number {
    return this.clock.pause;
  }

  /** Called before each act: throws when the stage must stop here. */
  assertMayGoOn(): void {
    if (this.clock.pause) throw new Suspend({ why: "paused", pause: this.clock.pause });
    const now = Date.now();
    if (now - this.enteredAt > LONGEST_STEP_MS) throw new Suspend({ why: "step_is_long" });
    const { timeout } = this.limits;
    const active = this.clock.active_ms + (this.clock.active_since === null ? 0 : now - this.clock.active_since);
    if (timeout !== null && active - this.queueing.ms > durationMs(timeout)) {
      throw new Failed("budget_exceeded", `The run has been active for more than its timeout of ${timeout}.`);
    }
  }
}
