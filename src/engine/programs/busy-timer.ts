/** The time in which at least one piece of work was under way, up to now. Milliseconds. */
export class BusyTimer {
  private ended = 0;
  private count = 0;
  private since = 0;

  get ms(): number {
    return this.ended + (this.count > 0 ? Date.now() - this.since : 0);
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    if (this.count++ === 0) this.since = Date.now();
    try {
      return await work();
    } finally {
      if (--this.count === 0) this.ended += Date.now() - this.since;
    }
  }
}
