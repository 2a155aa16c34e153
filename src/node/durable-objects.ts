import { type Host, Life } from "./host";
import { type ObjectDatabase, storageOf } from "./object-storage";
import { isStorageFailure, pauseAfter } from "./sqlite-errors";
import { StorageUnavailableError } from "#core/unavailable";

export type ObjectClass = new (ctx: never, env: never) => object;
type Methods = Record<string, (...args: unknown[]) => unknown>;

/** A failed alarm rings again after this time, then after twice as long, up to MAX_RETRIES times. Milliseconds. */
const INITIAL_RETRY_MS = 2000;
const MAX_RETRIES = 6;

/** One object in memory. */
interface Live {
  life: Life;
  instance: Methods | null;
  /** How many `blockConcurrencyWhile` are under way: no call begins meanwhile. */
  blocks: number;
  /** Begin the calls that wait for these. */
  waiting: (() => void)[];
  /** Rejects the calls that the object is working on. */
  calls: Set<(error: Error) => void>;
  /** When its last call began or ended. Milliseconds since the epoch. */
  used_at: number;
}

interface Alarm {
  /** When it is stored to ring. Milliseconds since the epoch. */
  stored_at: number;
  /** Cancels the wait for it. */
  cancel: () => void;
  isRinging: boolean;
  /** A new alarm was set while this one rang. */
  setMeanwhile: boolean;
  failures: number;
}

/** The Durable Objects of one process. What they store outlives it. */
export class DurableObjects {
  private readonly objects = new Map<string, Live>();
  private readonly alarms = new Map<string, Alarm>();
  private cancelReread = () => {};

  /**
   * @param life of the process
   * @param classes by name
   * @param env is given to each object; it may hold namespaces of this process
   * @param isPaused alarms are stored, and do not ring
   */
  constructor(
    private readonly host: Host,
    private readonly life: Life,
    private readonly stored: ObjectDatabase,
    private readonly classes: Readonly<Record<string, ObjectClass>>,
    private readonly env: object,
    private readonly isPaused = false,
  ) {}

  namespace(className: string): DurableObjectNamespace {
    const stub = (name: string) => this.stub(`${className}/${name}`);
    return {
      idFromName: (name: string) => ({ name, toString: () => name }),
      get: ({ name }: { name: string }) => stub(name),
      getByName: stub,
    } as unknown as DurableObjectNamespace;
  }

  /** Call after a start: the alarms that were set ring. */
  resume(): void {
    for (const { object, at } of this.stored.alarms()) this.awaitAlarm(object, at);
  }

  /** The names of the objects in memory, as `Class/name`. */
  inMemory(): string[] {
    return [...this.objects.keys()];
  }

  /** Drops an object from memory, as a move to another machine does. Its callers get an error; what it stored stays. */
  evict(object: string, reason = new Error("Durable Object reset because its machine was restarted.")): void {
    const live = this.objects.get(object);
    if (!live) return;
    this.objects.delete(object);
    live.life.end();
    for (const reject of live.calls) reject(reason);
  }

  /** Drops the objects from memory that have worked on nothing since a time, in milliseconds since the epoch. */
  evictIdle(since: number): void {
    for (const [object, { calls, used_at }] of this.objects)
      if (calls.size === 0 && used_at < since) this.evict(object);
  }

  /** Call after writes were lost: objects begin again with what is stored. */
  reload(cause: Error): void {
    const reason = new StorageUnavailableError("Durable Object reset", cause);
    for (const object of this.inMemory()) this.evict(object, reason);
    this.rereadAlarms();
  }

  /**
   * Alarms ring as they are stored, not as they were set in writes that were lost. One that is overdue rings after a pause: what it writes
   * would most likely be lost at once, too.
   */
  private rereadAlarms(failures = 0): void {
    this.cancelReread();
    const not_before = this.host.now() + pauseAfter(failures);
    try {
      const stored = new Map(this.stored.alarms().map(({ object, at }) => [object, at]));
      for (const [object, { isRinging, stored_at }] of this.alarms)
        if (!isRinging && stored.get(object) !== stored_at) this.forget(object);
      for (const [object, at] of stored) if (!this.alarms.has(object)) this.awaitAlarm(object, at, { not_before });
    } catch (error) {
      if (!isStorageFailure(error)) throw error;
      this.cancelReread = this.host.at(not_before, this.life, () => this.rereadAlarms(failures + 1));
    }
  }

  private stub(object: string): object {
    return new Proxy(
      {},
      {
        get: (_, method) => {
          if (typeof method === "symbol" || method === "then") return undefined;
          return (...args: unknown[]) => {
            const given = structuredClone(args);
            const call = { to: "object" as const, what: `${object}.${method}`, writes: true };
            return this.host.call(
              call,
              () => this.perform(object, method, given),
              () => this.open(object).life,
            );
          };
        },
      },
    );
  }

  /** Calls a method of an object, as soon as its gate is open. */
  private perform(object: string, method: string, args: unknown[]): Promise<unknown> {
    const live = this.open(object);
    return new Promise((resolve, reject) => {
      live.calls.add(reject);
      live.used_at = this.host.now();
      const work = async () => {
        live.instance ??= this.construct(object, live);
        while (live.blocks > 0) await new Promise<void>((begin) => live.waiting.push(begin));
        const call = live.instance[method];
        if (typeof call !== "function")
          throw new TypeError(`The RPC receiver does not implement the method "${method}".`);
        return structuredClone(await call.apply(live.instance, args));
      };
      work()
        .then(resolve, reject)
        .finally(() => {
          live.calls.delete(reject);
          live.used_at = this.host.now();
        });
    });
  }

  private open(object: string): Live {
    let live = this.objects.get(object);
    if (!live) {
      live = {
        life: new Life(object, this.life),
        instance: null,
        blocks: 0,
        waiting: [],
        calls: new Set(),
        used_at: 0,
      };
      this.objects.set(object, live);
    }
    return live;
  }

  private construct(object: string, live: Live): Methods {
    const [className = "", name = ""] = splitOnce(object);
    const ctx = {
      id: { name, toString: () => name },
      storage: storageOf(object, this.stored, {
        get: () => (this.isHidden(object) ? null : this.stored.alarm(object)),
        set: (at) => this.setAlarm(object, at),
        delete: () => this.deleteAlarm(object),
      }),
      waitUntil: (promise: Promise<unknown>) => void Promise.resolve(promise).catch(() => {}),
      blockConcurrencyWhile: (work: () => Promise<unknown>) => this.block(object, live, work),
    };
    return new this.classes[className]!(ctx as never, this.env as never) as Methods;
  }

  /** Work that fails resets the object. The calls that waited begin one by one, each in a turn of its own. */
  private async block(object: string, live: Live, work: () => Promise<unknown>): Promise<unknown> {
    live.blocks++;
    try {
      return await work();
    } catch (error) {
      this.evict(object);
      throw error;
    } finally {
      live.blocks--;
      for (const begin of live.waiting.splice(0)) this.host.at(this.host.now(), live.life, begin);
    }
  }

  /** While an alarm rings, the object has no alarm unless it sets a new one; a crash has the old one ring again. */
  private isHidden(object: string): boolean {
    const alarm = this.alarms.get(object);
    return alarm?.isRinging === true && !alarm.setMeanwhile;
  }

  private setAlarm(object: string, at: number): void {
    this.stored.setAlarm(object, at);
    const alarm = this.alarms.get(object);
    if (alarm?.isRinging) alarm.setMeanwhile = true;
    else this.awaitAlarm(object, at);
  }

  private deleteAlarm(object: string): void {
    this.stored.deleteAlarm(object);
    const alarm = this.alarms.get(object);
    if (alarm?.isRinging) alarm.setMeanwhile = true;
    else this.forget(object);
  }

  private forget(object: string): void {
    this.alarms.get(object)?.cancel();
    this.alarms.delete(object);
  }

  /** @param at when it is stored to ring @param not_before it rings then at the earliest */
  private awaitAlarm(object: string, at: number, { not_before = this.host.now(), failures = 0 } = {}): void {
    this.forget(object);
    if (this.isPaused) return;
    const cancel = this.host.at(Math.max(at, not_before), this.life, () => void this.ring(object));
    this.alarms.set(object, { stored_at: at, cancel, isRinging: false, setMeanwhile: false, failures });
  }

  private async ring(object: string): Promise<void> {
    const alarm = this.alarms.get(object)!;
    alarm.isRinging = true;
    const call = { to: "object" as const, what: `${object}.alarm`, writes: true };
    const ringing = this.host.call(
      call,
      () => this.perform(object, "alarm", []),
      () => this.open(object).life,
    );
    const outcome: { error?: unknown } = await ringing.then(
      () => ({}),
      (error: unknown) => ({ error }),
    );
    this.alarms.delete(object);
    try {
      if ("error" in outcome && isStorageFailure(outcome.error)) throw outcome.error;
      this.afterAlarm(object, alarm, "error" in outcome);
    } catch (error) {
      if (!isStorageFailure(error)) throw error;
      // It is stored still, and rings until the disk takes what it writes, however often that fails.
      const not_before = this.host.now() + pauseAfter(alarm.failures);
      this.awaitAlarm(object, alarm.stored_at, { not_before, failures: alarm.failures + 1 });
    }
  }

  private afterAlarm(object: string, { setMeanwhile, failures }: Alarm, failed: boolean): void {
    const next = this.stored.alarm(object);
    if (setMeanwhile) {
      if (next !== null) this.awaitAlarm(object, next);
    } else if (failed && next !== null && failures < MAX_RETRIES) {
      const not_before = this.host.now() + INITIAL_RETRY_MS * 2 ** failures;
      this.awaitAlarm(object, next, { not_before, failures: failures + 1 });
    } else this.stored.deleteAlarm(object);
  }
}

const splitOnce = (object: string) => [object.slice(0, object.indexOf("/")), object.slice(object.indexOf("/") + 1)];
