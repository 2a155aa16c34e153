/**
 * Measures the time in which all of a run's requests to models waited for a permit: the run's timeout does not count it. Flushed to D1
 * with each heartbeat; the unflushed remainder is lost if the instance ends. Milliseconds.
 */
export class Queueing {
  private asking = 0;
  private waiting = 0;
  private changedAt = 0;
  private ended = 0;
  /** Of instances before this one. */
  private earlier = 0;
  private reported = 0;

  get ms(): number {
    return this.earlier + this.queued;
  }

  /** Measures an act's request to a model, over all its attempts. */
  asks<T>(work: () => Promise<T>): Promise<T> {
    return this.during("asking", work);
  }

  /** Measures the part of such a request that waits for a permit. */
  waits<T>(wait: () => Promise<T>): Promise<T> {
    return this.during("waiting", wait);
  }

  /** Takes over the time that D1 held when a stage was entered. */
  restore(stored: number): void {
    this.earlier = stored - this.reported;
  }

  /** The time not yet in D1. The caller must write it there: the next call does not return it again. */
  takeUnreported(): number {
    const ms = this.queued - this.reported;
    this.reported += ms;
    return ms;
  }

  private get queued(): number {
    const allWait = this.waiting > 0 && this.waiting >= this.asking;
    return this.ended + (allWait ? Date.now() - this.changedAt : 0);
  }

  private async during<T>(state: "asking" | "waiting", work: () => Promise<T>): Promise<T> {
    this.count(state, 1);
    try {
      return await work();
    } finally {
      this.count(state, -1);
    }
  }

  private count(state: "asking" | "waiting", change: 1 | -1): void {
    this.ended = this.queued;
    this.changedAt = Date.now();
    this[state] += change;
  }
}
