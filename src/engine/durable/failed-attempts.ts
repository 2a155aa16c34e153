/**
 * How often each act has failed so far, and how often it was asked anew for a usable answer, by counters that begin with its name and "~". The
 * counts survive a suspension, so an act gives up on a provider that keeps asking for a wait.
 */
export class FailedAttempts {
  private counts: Record<string, number> = {};

  /** @returns the number of this attempt, from 1 */
  add(act: string): number {
    const attempt = this.of(act) + 1;
    this.counts[act] = attempt;
    return attempt;
  }

  of(act: string): number {
    return this.counts[act] ?? 0;
  }

  clear(act: string): void {
    delete this.counts[act];
  }

  /** Of an act that was answered: a step's result has a limit, and would grow with each act that ever failed. */
  clearOf(act: string): void {
    for (const counter of Object.keys(this.counts)) if (counter.startsWith(`${act}~`)) this.clear(counter);
  }

  /** Counter -> failed attempts, as a step's result carries them. */
  get all(): Record<string, number> {
    return this.counts;
  }

  restore(counts: Record<string, number>): void {
    this.counts = counts;
  }
}
