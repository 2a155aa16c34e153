import { Busy } from "./busy";

/**
 * The time that a run has queued at providers' gates: while at least one of its calls waited for its turn. Its timeout does not count it.
 * D1 is told with each look at the run; what it was not told when an instance ends, a moment, is lost. Milliseconds.
 */
export class Queueing {
  private readonly waiting = new Busy();
  private before = 0;
  private told = 0;

  get ms(): number {
    return this.before + this.waiting.ms;
  }

  during<T>(wait: () => Promise<T>): Promise<T> {
    return this.waiting.during(wait);
  }

  /** Takes in what D1 knew when a stage was entered. */
  learn(stored: number): void {
    this.before = stored - this.told;
  }

  /** What D1 was not told yet; whoever asks tells it. */
  untold(): number {
    const ms = this.waiting.ms - this.told;
    this.told += ms;
    return ms;
  }
}
