import { parallel } from "./parallel";
import { orUnavailable } from "./outages";
import type { Instance } from "../instance/instance";
import { GroupQueue } from "#core/group-queue";
import { sleep } from "#core/retry";
import type { Commitment, NewArtifact } from "#store/artifacts";

/** How long deferred work waits: the next step's model call is then in flight. Milliseconds. */
const DEFER_MS = 20;

/**
 * The writes of one stage execution. Steps that end together share a commit, and steps that cost nothing to repeat do not wait for theirs: the
 * workflow continues while D1 stores them. `drain` waits for everything.
 */
export class StageWrites {
  private readonly queue: GroupQueue<NewArtifact, Commitment | null>;
  /** Settles once all tracked writes have. */
  private tracked: Promise<void>;
  private readonly deferred: (() => Promise<void>)[] = [];
  /** Resolves once no deferred work waits to start. */
  private started = Promise.withResolvers<void>();

  /**
   * @param entered settles once D1 knows that the stage was entered: no artifact of the stage is stored before
   * @param previous the writes of the stage before; they are flushed when this stage waits for its own
   */
  constructor(
    { run_id: id, epoch, spec, deps }: Instance,
    private readonly entered: Promise<void>,
    private readonly previous: StageWrites | null,
  ) {
    const run = { id, tenant: spec.tenant, epoch, code_version: deps.code_version };
    this.queue = new GroupQueue(async (artifacts) => {
      await this.untilEntered();
      return orUnavailable(() => deps.store.artifacts.commit(run, artifacts), deps.clock);
    });
    this.tracked = entered;
    this.tracked.catch(() => {}); // whoever drains gets the error
    this.started.resolve();
  }

  /** Waits until D1 knows that the stage was entered; the stage before must have stored its writes first. */
  untilEntered(): Promise<void> {
    this.previous?.flush();
    return this.entered;
  }

  /**
   * Stores an artifact with the next commit.
   * @param isAwaited the caller waits, so the commit starts at once; otherwise it also starts after a turn of the event loop
   * @returns null when the commit was refused
   */
  commit(artifact: NewArtifact, isAwaited: boolean): Promise<Commitment | null> {
    if (!isAwaited) this.scheduleFlush();
    return this.queue.add(artifact, isAwaited ? "now" : "wait");
  }

  /** Adds a write that is under way. The stage does not end, and asks nobody, before it is stored. */
  track(write: Promise<void>): void {
    this.tracked = parallel([this.tracked, write], (promise) => promise, 2).then(() => {});
    this.tracked.catch(() => {}); // whoever drains gets the error
  }

  /** Adds work that no step waits for, such as a drawing. It starts after `DEFER_MS`, or with the next flush or drain. */
  defer(work: () => Promise<void>): void {
    if (this.deferred.push(work) === 1) this.started = Promise.withResolvers();
    void sleep(DEFER_MS).then(() => this.flush());
  }

  /** Starts the deferred work and the commits that wait for more. */
  flush(): void {
    for (const work of this.deferred.splice(0)) this.track(work());
    this.started.resolve();
    this.queue.begin();
  }

  /** Flushes, and waits until D1 holds all writes of the stage. */
  drain(): Promise<void> {
    this.previous?.flush();
    this.flush();
    return this.tracked;
  }

  /** Drains once the deferred work has started by itself or by a flush: the next stage runs meanwhile. */
  async drainLater(): Promise<void> {
    await this.started.promise;
    return this.drain();
  }

  /** Flushes one turn of the event loop later. Deferred work starts the waiting commits itself. */
  private scheduleFlush(): void {
    void sleep(0).then(() => {
      if (this.deferred.length === 0) this.queue.begin();
    });
  }
}
