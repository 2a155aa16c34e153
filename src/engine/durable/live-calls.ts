import type { LiveCall } from "#core/live-call";

/**
 * The calls to models of a run that are under way, shown to the streams that follow it. Nothing stores them, and a lost report is only a
 * picture that is late.
 */
export class LiveCalls {
  private readonly calls = new Set<LiveCall>();
  private isFollowed = false;
  private isDue = false;

  /** @param report shows the calls to the streams */
  constructor(private readonly report: (calls: LiveCall[]) => void) {}

  /** @param followed whether a stream follows the run now */
  observe(followed: boolean): void {
    const isNew = followed && !this.isFollowed;
    this.isFollowed = followed;
    if (isNew) this.changed();
  }

  /** Shows a call until it has settled. */
  async during<T>(call: Omit<LiveCall, "since">, make: () => Promise<T>): Promise<T> {
    const live = { ...call, since: Date.now() };
    this.calls.add(live);
    this.changed();
    try {
      return await make();
    } finally {
      this.calls.delete(live);
      this.changed();
    }
  }

  /** Calls that begin or end together make one report. */
  private changed(): void {
    if (!this.isFollowed || this.isDue) return;
    this.isDue = true;
    queueMicrotask(() => {
      this.isDue = false;
      this.report([...this.calls]);
    });
  }
}
