/**
 * The time in which a run did nothing but queue at providers' gates: every act that was to ask a model waited for its turn. Its timeout
 * does not count it. D1 is told with each look at the run; what it was not told when an instance ends, a moment, is lost. Milliseconds.
 */
export class Queueing {
  private asking = 0;
  private waiting = 0;
  private changedAt = 0;
  private ended = 0;
  private before = 0;
  private told = 0;

  get ms(): number {
    return this.before + this.queued;
  }

  /** An act asks a model, over all its attempts. */
  asks<T>(work: () => Promise<T>): Promise<T> {
    return this.during("asking", work);
  }

  /** One that asks waits for its turn. */
  waits<T>(wait: () => Promise<T>): Promise<T> {
    return this.during("waiting", wait);
  }

  /** Takes in what D1 knew when a stage was entered. */
  restore(stored: number): void {
    this.before = stored - this.told;
  }

  /** What D1 was not told yet; whoever asks tells it. */
  takeUnreported(): number {
    const ms = this.queued - this.told;
    this.told += ms;
    return ms;
  }

  private get queued(): number {
    const allWait = this.waiting > 0 && this.waiting >= this.asking;
    return this.ended + (allWait ? Date.now() - this.changedAt : 0);
  }

  private async during<T>(what: "asking" | "waiting", work: () => Promise<T>): Promise<T> {
    this.count(what, 1);
    try {
      return await work();
    } finally {
      this.count(what, -1);
    }
  }

  private count(what: "asking" | "waiting", by: 1 | -1): void {
    this.ended = this.queued;
    this.changedAt = Date.now();
    this[what] += by;
  }
}
