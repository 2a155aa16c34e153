/**
 * Bounds the engines that are alive in an isolate, because each holds its memory (32 MiB by default) while its program waits for agents. An
 * engine at rest keeps its place until another program needs one; then it is dropped, and a replay makes it again.
 */
export class EnginePlaces {
  /** How to drop the engines at rest, longest at rest first. */
  private readonly resting = new Set<() => void>();
  private readonly waiting: (() => void)[] = [];

  /** @param free how many engines may be alive */
  constructor(private free: number) {}

  /** Waits for a place, in FIFO order; drops an engine at rest for it. */
  async acquire(): Promise<void> {
    if (this.free > 0) {
      this.free--;
      return;
    }
    const [drop] = this.resting;
    if (!drop) return new Promise<void>((resolve) => this.waiting.push(resolve));
    this.resting.delete(drop);
    drop();
  }

  /** The engine is not needed for a while. @param drop called once another program takes the place */
  rest(drop: () => void): void {
    const next = this.waiting.shift();
    if (!next) {
      this.resting.add(drop);
      return;
    }
    drop();
    next();
  }

  /** Ends a rest; false when the place was taken. */
  resume(drop: () => void): boolean {
    return this.resting.delete(drop);
  }

  release(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.free++;
  }
}
