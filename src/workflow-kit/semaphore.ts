/** Runs a limited number of calls at once; the others wait in FIFO order. */
export class Semaphore {
  private readonly waiting: (() => void)[] = [];

  /** @param free how many calls may run at once */
  constructor(private free: number) {}

  async run<T>(call: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await call();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free++;
    }
  }
}
