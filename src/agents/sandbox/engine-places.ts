import { sleep } from "#core/retry";

/** How often a program that waits looks for a place. Milliseconds. */
const POLL_INTERVAL_MS = 10;
/** A program runs for seconds at a time; one that holds a place for longer was cut off by the platform. Milliseconds. */
const MAX_HOLD_MS = 60_000;

/**
 * Bounds the engines that are alive in an isolate, because each holds its memory (32 MiB by default) while its program waits for agents. An
 * engine at rest keeps its place until another program needs one; then it is dropped, and a replay makes it again.
 *
 * The programs belong to several runs, and the platform may end any of them at an `await`: no program depends on another one to hand over
 * or give back a place.
 */
export class EnginePlaces {
  /** Since when engines that run hold their places, by how to drop them. */
  private readonly held = new Map<() => void, number>();
  /** How to drop the engines at rest, longest at rest first. */
  private readonly resting = new Set<() => void>();

  /**
   * @param most how many engines may be alive
   * @param wait of a program without a place
   */
  constructor(
    private readonly most: number,
    private readonly wait: (ms: number) => Promise<void> = sleep,
  ) {}

  /** Waits for a place; drops an engine at rest for it. @param drop identifies the engine from now on */
  async acquire(drop: () => void): Promise<void> {
    while (!this.take(drop)) await this.wait(POLL_INTERVAL_MS);
  }

  private take(drop: () => void): boolean {
    const now = Date.now();
    for (const [lost, since] of this.held) if (now - since > MAX_HOLD_MS) this.held.delete(lost);
    if (this.held.size + this.resting.size >= this.most) {
      const [oldest] = this.resting;
      if (!oldest) return false;
      this.resting.delete(oldest);
      oldest();
    }
    this.held.set(drop, now);
    return true;
  }

  /** The engine is not needed for a while. It is dropped once another program takes the place. */
  rest(drop: () => void): void {
    if (this.held.delete(drop)) this.resting.add(drop);
    else drop();
  }

  /** Ends a rest; false when the place was taken. */
  resume(drop: () => void): boolean {
    if (!this.resting.delete(drop)) return false;
    this.held.set(drop, Date.now());
    return true;
  }

  /** Gives back the place of an engine that runs, if it has one. */
  release(drop: () => void): void {
    this.held.delete(drop);
  }
}
