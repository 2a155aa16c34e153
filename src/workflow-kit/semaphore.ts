/** Runs at most `limit` calls at once; the others wait in FIFO order. */
export class Semaphore {
  private readonly waiting: (() => void)[] = [];
  private free: number;

  constructor(limit: number) {
    this.free = limit;
  }

  async run<T>(call: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((open) => this.waiting.push(open));
    try {
      return await call();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free++;
    }
  }
}
