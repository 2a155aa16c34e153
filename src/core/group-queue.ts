import { sleep } from "./retry";
import { StorageUnavailableError } from "./unavailable";

/** How groups are made. Sizes are in any one unit, times in milliseconds. */
export interface GroupQueueOptions<Item> {
  sizeOf(item: Item): number;
  /** Of a group; a larger item goes alone. */
  largestGroup: number;
  /** Of all items that wait. */
  mostWaiting: number;
  /** A group that would begin sooner than this after the end of the one before waits for `gather_ms`, because more items are on their way. */
  busy_ms: number;
  gather_ms: number;
  /** A group that has been under way for longer has lost its answer: the next item begins a new one. */
  lost_ms: number;
}

interface Waiting<Item, Result> {
  item: Item;
  size: number;
  resolve(result: Result): void;
  reject(reason: unknown): void;
}

/** Group commit, FIFO: items that arrive while a group is under way share the next one. By default the next group takes all of them. */
export class GroupQueue<Item, Result> {
  private readonly waiting: Waiting<Item, Result>[] = [];
  private waitingSize = 0;
  /** Number of the worker that sends the groups, one after the other; 0: none does. */
  private worker = 0;
  private workers = 0;
  private begunAt = 0;
  private endedAt = -Infinity;

  /** @param send gets a group in the order of arrival, and returns the results in this order. Its error goes to the callers of all items */
  constructor(
    private readonly send: (group: readonly Item[]) => Promise<readonly Result[]>,
    private readonly grouping: GroupQueueOptions<Item> | null = null,
  ) {}

  /**
   * @param urgency `wait`: the item's group begins with the next urgent item, or when `begin` is called
   * @throws StorageUnavailableError when too much waits
   */
  async add(item: Item, urgency: "now" | "wait" = "now"): Promise<Result> {
    const size = this.grouping?.sizeOf(item) ?? 0;
    if (this.isLost()) void this.work();
    if (this.grouping && this.waiting.length > 0 && this.waitingSize + size > this.grouping.mostWaiting)
      throw new StorageUnavailableError(
        "group queue",
        `${this.waiting.length} items wait, which is all that it holds.`,
      );
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, size, resolve, reject });
      this.waitingSize += size;
      if (urgency === "now") this.begin();
    });
  }

  /** Begins the next group, unless one is under way: it begins when that has ended. */
  begin(): void {
    if (this.worker === 0 && this.waiting.length > 0) void this.work();
  }

  private async work(): Promise<void> {
    const self = ++this.workers;
    this.worker = self;
    while (this.waiting.length > 0) {
      this.begunAt = Date.now();
      if (this.isBusy()) await sleep(this.grouping!.gather_ms);
      if (this.worker !== self) return;
      const group = this.takeGroup();
      try {
        const results = await this.send(group.map(({ item }) => item));
        group.forEach(({ resolve }, index) => resolve(results[index]!));
      } catch (reason) {
        for (const { reject } of group) reject(reason);
      }
      if (this.worker !== self) return; // its group was given up, and another worker continues
      this.endedAt = Date.now();
    }
    this.worker = 0;
  }

  private isLost(): boolean {
    return this.worker !== 0 && this.grouping !== null && Date.now() - this.begunAt > this.grouping.lost_ms;
  }

  private isBusy(): boolean {
    return this.grouping !== null && Date.now() - this.endedAt < this.grouping.busy_ms;
  }

  private takeGroup(): Waiting<Item, Result>[] {
    const largest = this.grouping?.largestGroup ?? Infinity;
    let size = 0;
    let count = 0;
    for (const next of this.waiting) {
      if (count > 0 && size + next.size > largest) break;
      size += next.size;
      count++;
    }
    this.waitingSize -= size;
    return this.waiting.splice(0, count);
  }
}
