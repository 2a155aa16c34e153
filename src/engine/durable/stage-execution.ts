import { durationMs } from "#core/duration";
import { RunFailedError, StaleEpochError, SuspendSignal } from "../instance/signals";
import type { Instance } from "../instance/instance";
import type { InstanceMemory } from "./memory";
import { liveCalls } from "./live-calls";
import { reservationQueue } from "./reservation-queue";
import { StageWrites } from "./stage-writes";
import type { ArtifactRow, InteractionRow } from "#store/rows";
import type { RunClock, StoredStage } from "#store/instances";
import type { StageKey } from "#store/stages";

/**
 * A Workflow step ends after this time, or after this many run steps, and the next one continues: no Workflow step grows without bound.
 * Milliseconds.
 */
const MAX_SEGMENT_MS = 10 * 60_000;
/** A step makes about ten of the 10,000 requests that an invocation may make: to model, permits, budget, D1, R2 and feed. */
const MAX_STEPS_PER_SEGMENT = 200;

/** What the stage executions of a segment share. Times in milliseconds since 1970. */
export interface SegmentState {
  readonly startedAt: number;
  /** Steps that were committed in the segment. */
  steps: number;
  /** When D1 last said whether the run is paused or canceled. */
  lastCheckedAt: number;
}

/** True when later steps may have used this outcome: an instance of any epoch finds it again (law 2). */
export const isReusable = (row: InteractionRow): boolean =>
  row.status === "answered" || (row.status === "expired" && row.on_expiry === "proceed");

/** One execution of a stage inside one segment: what D1 holds of the stage, its new writes, and the run's pause and clock after each write. */
export class StageExecution {
  /** Stored artifacts by the name of their step. */
  readonly artifacts = new Map<string, ArtifactRow>();
  /** Stored interactions by the name of their step. */
  readonly interactions = new Map<string, InteractionRow>();
  readonly reservations = reservationQueue();
  readonly live;
  readonly writes: StageWrites;
  /** Settles once D1 knows that the stage was entered; rejects with StaleEpochError. */
  readonly entered: Promise<void>;
  private clock: RunClock = { pause: 0, active_ms: 0, active_since: null, followed: 0, owns_keys: 1 };

  /**
   * @param entering waits for the writes of the stage before
   * @param of.previous the writes of the stage before, in this segment
   */
  constructor(
    readonly instance: Instance,
    readonly memory: InstanceMemory,
    readonly key: StageKey,
    entering: Promise<StoredStage>,
    private readonly of: { segment: SegmentState; previous: StageWrites | null },
  ) {
    this.live = liveCalls((calls) => instance.deps.reportCalls(instance.run_id, calls));
    this.entered = entering.then((stored) => this.restore(stored));
    this.writes = new StageWrites(instance, this.entered, of.previous);
  }

  private restore({ run, artifacts, interactions }: StoredStage): void {
    if (!run) throw new StaleEpochError();
    this.memory.calls = Math.max(this.memory.calls, run.llm_calls);
    this.observe(run);
    this.memory.queueTime.restore(run.queued_ms);
    this.memory.outages.restore(run.outages);
    for (const row of artifacts) this.artifacts.set(row.step, row);
    for (const row of interactions.sort((a, b) => a.epoch - b.epoch)) {
      const known = this.interactions.get(row.step);
      if (!known || !isReusable(known)) this.interactions.set(row.step, row);
    }
  }

  /** Takes over the pause and the clock that a write returned. */
  observe(clock: RunClock): void {
    const { pause, active_ms, active_since, followed, owns_keys } = clock;
    this.of.segment.lastCheckedAt = Date.now();
    this.clock = { pause, active_ms, active_since, followed, owns_keys };
    this.memory.ownsKeys = owns_keys === 1;
    this.live.observe(followed === 1);
  }

  /** Whether a stream of events followed the run at the last write. */
  get followed(): boolean {
    return this.clock.followed === 1;
  }

  /** Number of the pause in force at the last write; 0: none. */
  get pause(): number {
    return this.clock.pause;
  }

  /** Counts a step that was committed in this segment. */
  countStep(): void {
    this.of.segment.steps++;
  }

  /**
   * Writes a heartbeat, and reads whether the run was paused or canceled.
   * @param quiet time until the next heartbeat, milliseconds
   * @throws StaleEpochError, or as `assertMayContinue`
   */
  async heartbeat(quiet = 0): Promise<void> {
    const { run_id, epoch, deps } = this.instance;
    const unreported = this.memory.queueTime.takeUnreported();
    const clock = await deps.store.instances.heartbeat(run_id, epoch, quiet, unreported);
    if (!clock) throw new StaleEpochError();
    this.observe(clock);
    this.assertMayContinue();
  }

  /** Called before each step. @throws SuspendSignal, or RunFailedError `budget_exceeded` when the run has passed its timeout */
  assertMayContinue(): void {
    if (this.clock.pause) throw new SuspendSignal({ why: "paused", pause: this.clock.pause });
    const now = Date.now();
    const { startedAt, steps } = this.of.segment;
    if (now - startedAt > MAX_SEGMENT_MS || steps >= MAX_STEPS_PER_SEGMENT)
      throw new SuspendSignal({ why: "segment_is_long" });
    const { timeout } = this.instance.spec.limits;
    const active = this.clock.active_ms + (this.clock.active_since === null ? 0 : now - this.clock.active_since);
    if (timeout !== null && active - this.memory.queueTime.ms > durationMs(timeout)) {
      throw new RunFailedError("budget_exceeded", `The run has been active for longer than its timeout of ${timeout}.`);
    }
  }
}
