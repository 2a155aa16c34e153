import { durationMs } from "#core/duration";
import { sleep } from "#core/retry";
import { Unavailable } from "#core/unavailable";
import { Failed, Superseded, Suspend } from "../instance/control";
import type { Instance } from "../instance/instance";
import type { InstanceMemory } from "./memory";
import type { FailedAttempts } from "./failed-attempts";
import type { ProviderOutages } from "./provider-outages";
import { LiveCalls } from "./live-calls";
import type { Queueing } from "./queueing";
import { parallel } from "./parallel";
import { ReservationQueue } from "./reservation-queue";
import type { ArtifactRow, InteractionRow } from "#store/rows";
import type { RunClock, StoredStage } from "#store/instances";
import type { StageKey } from "#store/stages";

/** A Workflow step ends after this time, or so many acts, and the run is entered again in the next: no step grows without bound. Milliseconds. */
const LONGEST_STEP_MS = 10 * 60_000;
/** An act makes at most some ten requests of the 10,000 that an invocation may make: to model, permits, budget, D1, R2 and feed. */
const MOST_ACTS_OF_STEP = 200;

/** How long what no act waits for is put off: the call of the next act is then under way. Milliseconds. */
const PUT_OFF_MS = 20;

/** D1 has told "lately" that the run is neither paused nor canceled when it has done so within this time. Milliseconds. */
const LATELY_MS = 1000;

/** The state of a stay that its visits share. Times in milliseconds since 1970. */
export interface StayState {
  /** When the Workflow step began. */
  readonly since: number;
  /** Acts that were committed in it. */
  acts: number;
  /** When D1 last told whether the run is paused or canceled. */
  heardAt: number;
}

/** The writes of a stage that has returned. */
export interface Leaving {
  /** Settled once D1 holds them. Rejects with Suspend when storage does not answer: in its next step the run enters the stage again. */
  written: Promise<void>;
  /** Begins at once what is put off. */
  hurry(): void;
}

/** True when later steps may have used this outcome: an instance of any epoch finds it again (law 2). */
export const isReusable = (row: InteractionRow): boolean =>
  row.status === "answered" || (row.status === "expired" && row.on_expiry === "proceed");

/** One visit to a stage, inside one Workflow step: the rows of the stage in D1 on entry, and the run's pause and clock after each write. */
export class StageVisit {
  readonly artifacts = new Map<string, ArtifactRow>();
  readonly interactions = new Map<string, InteractionRow>();
  readonly reservations = new ReservationQueue();
  /** Settled once D1 knows that the stage was entered; rejects with Superseded. */
  readonly ready: Promise<void>;
  readonly queueing: Queueing;
  readonly attempts: FailedAttempts;
  readonly providers: ProviderOutages;
  readonly live: LiveCalls;
  private clock: RunClock = { pause: 0, active_ms: 0, active_since: null, followed: 0, owns_keys: 1 };
  private settled: Promise<void>;
  private beginWrites = () => {};
  private readonly putOffWork: (() => Promise<void>)[] = [];
  private putOffTimer: Promise<void> = Promise.resolve();

  private readonly memory: InstanceMemory;
  private readonly stay: StayState;
  private readonly before: Leaving | null;

  /**
   * @param entering waits for the writes of the stage before
   * @param of.before the stage before, in this stay
   */
  constructor(
    readonly instance: Instance,
    readonly key: StageKey,
    entering: Promise<StoredStage>,
    { memory, stay, before = null }: { memory: InstanceMemory; stay: StayState; before?: Leaving | null },
  ) {
    const { queueing, attempts, providers } = memory;
    this.memory = memory;
    this.stay = stay;
    this.before = before;
    this.live = new LiveCalls((live) => instance.deps.reportCalls(instance.run_id, live));
    this.queueing = queueing;
    this.attempts = attempts;
    this.providers = providers;
    this.ready = entering.then((stored) => this.restore(stored));
    this.settled = this.ready;
    this.settled.catch(() => {}); // its callers await it
  }

  /** Adds work that runs concurrently, and must settle before the stage ends or waits for a person. */
  follow(work: Promise<void>): void {
    this.settled = parallel([this.settled, work], (promise) => promise, 2).then(() => {});
    this.settled.catch(() => {}); // its callers await it
  }

  /** @param begin begins the writes that wait for more; it is called when the stage waits for all of them */
  beforeWritten(begin: () => void): void {
    this.beginWrites = begin;
  }

  /** Begins the writes that wait, one turn of the event loop later: together with what is put off, if there is such work. */
  beginSoon(): void {
    void sleep(0).then(() => {
      if (this.putOffWork.length === 0) this.beginWrites();
    });
  }

  /** Adds work that no act waits for, such as a drawing. It begins after `PUT_OFF_MS`, or when somebody waits for the stage's writes. */
  putOff(work: () => Promise<void>): void {
    this.putOffWork.push(work);
    this.putOffTimer = sleep(PUT_OFF_MS).then(() => this.catchUp());
  }

  private catchUp(): void {
    for (const work of this.putOffWork.splice(0)) this.follow(work());
    this.beginWrites();
  }

  /** As `ready`; what the stage before has put off begins at once. */
  get entered(): Promise<void> {
    this.before?.hurry();
    return this.ready;
  }

  /** Settled once D1 holds all writes of the stage, those that were put off too. */
  get written(): Promise<void> {
    this.before?.hurry();
    this.catchUp();
    return this.settled;
  }

  /**
   * Call when the stage has returned: the next one begins while D1 takes the rest of its writes. When D1 has not told for a while that the run
   * goes on, this waits for the writes: otherwise the next stage would pay for calls of a run that was canceled meanwhile.
   * @param explain turns an unexpected error of the writes into what the run shall end with
   */
  async leave(explain: (error: unknown) => unknown): Promise<Leaving> {
    if (Date.now() - this.stay.heardAt > LATELY_MS) await this.written;
    const hurried = Promise.withResolvers<void>();
    const written = Promise.race([hurried.promise, this.putOffTimer])
      .then(() => this.written)
      .catch((error: unknown) => {
        throw error instanceof Unavailable ? new Suspend({ why: "step_is_long" }) : explain(error);
      });
    written.catch(() => {}); // the next stage, or the end of the run, awaits it
    return { written, hurry: hurried.resolve };
  }

  /** Model calls that the run has made: the position in `test.faults.llm`. */
  get calls(): number {
    return this.memory.calls;
  }

  set calls(calls: number) {
    this.memory.calls = calls;
  }

  private restore({ run, artifacts, interactions }: StoredStage): void {
    if (!run) throw new Superseded();
    this.calls = Math.max(this.calls, run.llm_calls);
    this.observe(run);
    this.queueing.restore(run.queued_ms);
    this.providers.restore(run.outages);
    for (const row of artifacts) this.artifacts.set(row.act, row);
    for (const row of interactions.sort((a, b) => a.epoch - b.epoch)) {
      const known = this.interactions.get(row.act);
      if (!known || !isReusable(known)) this.interactions.set(row.act, row);
    }
  }

  /** Takes over the pause and the clock that a write returned. */
  observe(clock: RunClock): void {
    const { pause, active_ms, active_since, followed, owns_keys } = clock;
    this.stay.heardAt = Date.now();
    this.clock = { pause, active_ms, active_since, followed, owns_keys };
    this.memory.ownsKeys = owns_keys === 1;
    this.live.observe(followed === 1);
  }

  /** Whether a stream of events followed the run at the last write. */
  get followed(): boolean {
    return this.clock.followed === 1;
  }

  /** Whether the run's owner had keys for providers at the last write. */
  get ownsKeys(): boolean {
    return this.memory.ownsKeys;
  }

  get pause(): number {
    return this.clock.pause;
  }

  /** Counts an act that was committed in this step. */
  countAct(): void {
    this.stay.acts++;
  }

  /**
   * Writes a heartbeat, and reads whether the run was paused or canceled.
   * @param quiet time until the next sign of life, milliseconds
   * @throws Superseded, or as `assertMayGoOn`
   */
  async heartbeat(quiet = 0): Promise<void> {
    const { run_id, epoch, deps } = this.instance;
    const clock = await deps.store.instances.heartbeat(run_id, epoch, quiet, this.queueing.takeUnreported());
    if (!clock) throw new Superseded();
    this.observe(clock);
    this.assertMayGoOn();
  }

  /** Called before each act. @throws Suspend, or Failed `budget_exceeded` when the run has passed its timeout */
  assertMayGoOn(): void {
    if (this.clock.pause) throw new Suspend({ why: "paused", pause: this.clock.pause });
    const now = Date.now();
    if (now - this.stay.since > LONGEST_STEP_MS || this.stay.acts >= MOST_ACTS_OF_STEP)
      throw new Suspend({ why: "step_is_long" });
    const { timeout } = this.instance.spec.limits;
    const active = this.clock.active_ms + (this.clock.active_since === null ? 0 : now - this.clock.active_since);
    if (timeout !== null && active - this.queueing.ms > durationMs(timeout)) {
      throw new Failed("budget_exceeded", `The run has been active for longer than its timeout of ${timeout}.`);
    }
  }
}
