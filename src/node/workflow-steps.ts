import { log } from "#core/log";
import type { Call, Host, Life } from "./host";
import { isStorageFailure, pauseAfter } from "./sqlite-errors";
import type { SentEvent, StepRecord, WorkflowRecord } from "./workflow-record";

type Duration = number | string;
interface StepConfig {
  retries?: { limit: number; delay: Duration; backoff?: "constant" | "linear" | "exponential" };
  timeout?: Duration;
}
type Callback = (context: {
  attempt: number;
  step: { name: string; count: number };
  config: StepConfig;
}) => Promise<unknown>;

const RETRIES = { limit: 5, delay: 1000, backoff: "exponential" } as const;
const TIMEOUT = "10 minutes";
const EVENT_TIMEOUT = "24 hours";

const UNITS: Record<string, number> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
  month: 2_592_000_000,
  year: 31_536_000_000,
};

/** @param given milliseconds, or a text such as "10 minutes" */
export function milliseconds(given: Duration): number {
  if (typeof given === "number") return given;
  const [, count, unit = ""] = /^(\d+) (\w+?)s?$/.exec(given) ?? [];
  if (!UNITS[unit]) throw new Error(`Not a duration: ${given}`);
  return Number(count) * UNITS[unit];
}

/** The steps of one instance in one life. A step that was done gives what is stored; any other is executed. */
export class WorkflowSteps {
  private readonly counts = new Map<string, number>();
  private readonly waiters = new Map<string, (() => void)[]>();

  constructor(
    private readonly host: Host,
    private readonly life: Life,
    private readonly record: WorkflowRecord,
    private readonly instance: string,
  ) {}

  /** How many waits are open. */
  get waits(): number {
    return this.waiters.size;
  }

  async do(name: string, ...rest: [Callback] | [StepConfig, Callback]): Promise<unknown> {
    const fn = rest.at(-1) as Callback;
    const config = rest.length === 2 ? rest[0] : {};
    const { limit, delay, backoff = "exponential" } = config.retries ?? RETRIES;
    const { key, count } = this.keyOf(name);
    const known = await this.read(key);
    if (known?.is === "done") return known.value;
    if (known?.is === "failed") throw errorOf(known.error);
    let attempts = 0;
    if (known?.is === "retrying") {
      ({ attempts } = known);
      await this.until(known.next_at);
    }
    for (;;) {
      attempts++;
      const context = { attempt: attempts, step: { name, count }, config };
      try {
        const value = clone(await this.limited(fn(context), milliseconds(config.timeout ?? TIMEOUT)));
        await this.write(key, { is: "done", value });
        return value;
      } catch (thrown) {
        const error = describe(thrown);
        if (attempts > limit || error.name === "NonRetryableError") {
          await this.write(key, { is: "failed", error });
          throw errorOf(error);
        }
        const factor = backoff === "exponential" ? 2 ** (attempts - 1) : backoff === "linear" ? attempts : 1;
        const next_at = this.host.now() + milliseconds(delay) * factor;
        await this.write(key, { is: "retrying", attempts, next_at });
        await this.until(next_at);
      }
    }
  }

  async sleep(name: string, duration: Duration): Promise<void> {
    await this.sleepUntil(name, this.host.now() + milliseconds(duration));
  }

  async sleepUntil(name: string, time: number | Date): Promise<void> {
    const { key } = this.keyOf(name);
    const known = await this.read(key);
    if (known?.is === "done") return;
    const until = known?.is === "waiting" ? known.until : Number(time);
    if (!known) await this.write(key, { is: "waiting", until });
    await this.until(until);
    await this.write(key, { is: "done", value: null });
  }

  async waitForEvent(name: string, options: { type: string; timeout?: Duration }): Promise<unknown> {
    const { key } = this.keyOf(name);
    const known = await this.read(key);
    if (known?.is === "done") return received(known.value as SentEvent);
    if (known?.is === "failed") throw errorOf(known.error);
    const timeout = milliseconds(options.timeout ?? EVENT_TIMEOUT);
    const until = known?.is === "waiting" ? known.until : this.host.now() + timeout;
    if (!known) await this.write(key, { is: "waiting", until });
    const event = await this.nextEvent(key, options.type, until);
    if (event) return received(event);
    const error = { name: "WorkflowTimeoutError", message: `Execution timed out after ${timeout}ms` };
    await this.write(key, { is: "failed", error });
    throw errorOf(error);
  }

  /** Call after an event was stored: the first waiter for its type looks for it. */
  wake(type: string): void {
    const [first, ...others] = this.waiters.get(type) ?? [];
    if (others.length) this.waiters.set(type, others);
    else this.waiters.delete(type);
    first?.();
  }

  /** The stored event, or the one that comes until a time, is consumed in the step's name; null: none came. */
  private nextEvent(key: string, type: string, until: number): Promise<SentEvent | null> {
    return new Promise((resolve, reject) => {
      /** @returns whether the wait is over, or the look is repeated later */
      const take = (failures = 0): boolean => {
        try {
          const event = this.record.firstEvent(this.instance, type);
          if (!event) return false;
          this.record.consume(this.instance, key, event);
          return (resolve(event), true);
        } catch (error) {
          if (!isStorageFailure(error)) return (reject(error), true);
          this.retry(failures, key, error, () => take(failures + 1) || wait());
          return true;
        }
      };
      const wait = () => {
        const cancel = this.host.at(until, this.life, () => {
          this.stopWaiting(type, woken);
          resolve(null);
        });
        const woken = () => {
          cancel();
          if (!take()) resolve(null);
        };
        this.waiters.set(type, [...(this.waiters.get(type) ?? []), woken]);
      };
      if (!take()) wait();
    });
  }

  private stopWaiting(type: string, woken: () => void): void {
    const others = (this.waiters.get(type) ?? []).filter((waiter) => waiter !== woken);
    if (others.length) this.waiters.set(type, others);
    else this.waiters.delete(type);
  }

  /** Equal names are distinguished by their order. */
  private keyOf(name: string): { key: string; count: number } {
    const count = (this.counts.get(name) ?? 0) + 1;
    this.counts.set(name, count);
    return { key: `${name}-${count}`, count };
  }

  private read(key: string): Promise<StepRecord | null> {
    const call = { to: "step" as const, what: `begin ${key} of ${this.instance}`, writes: false };
    return this.untilStored(key, call, () => this.record.step(this.instance, key));
  }

  private write(key: string, record: StepRecord): Promise<void> {
    const call = { to: "step" as const, what: `${record.is} ${key} of ${this.instance}`, writes: true };
    return this.untilStored(key, call, () => this.record.putStep(this.instance, key, record));
  }

  /** A step whose record is lost would be executed, and paid, again: the record is repeated until the disk takes it. */
  private async untilStored<T>(key: string, call: Call, perform: () => T): Promise<T> {
    for (let failures = 0; ; failures++) {
      try {
        return await this.host.call(call, perform, () => this.life);
      } catch (error) {
        if (!isStorageFailure(error)) throw error;
        await new Promise<void>((again) => this.retry(failures, key, error, again));
      }
    }
  }

  private retry(failures: number, step: string, error: unknown, again: () => void): void {
    log.warn("the disk failed the record of a workflow step, which is repeated", {
      instance: this.instance,
      step,
      error,
    });
    this.host.at(this.host.now() + pauseAfter(failures), this.life, again);
  }

  private until(time: number): Promise<void> {
    return new Promise((resolve) => void this.host.at(time, this.life, () => resolve()));
  }

  /** @throws Error when the work takes longer; the work continues */
  private limited(work: Promise<unknown>, ms: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const late = () => reject(new Error(`Execution timed out after ${ms}ms`));
      const cancel = this.host.at(this.host.now() + ms, this.life, late);
      work.finally(cancel).then(resolve, reject);
    });
  }
}

const received = ({ type, payload, timestamp }: SentEvent) => ({ type, payload, timestamp: new Date(timestamp) });

/** A value as the platform stores it. */
const clone = (value: unknown) => (value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown));

const describe = (thrown: unknown) =>
  thrown instanceof Error ? { name: thrown.name, message: thrown.message } : { name: "Error", message: String(thrown) };

function errorOf({ name, message }: { name: string; message: string }): Error {
  const error = new Error(message);
  error.name = name;
  return error;
}
