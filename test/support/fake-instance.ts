import type { WorkflowStep, WorkflowStepContext, WorkflowStepEvent } from "cloudflare:workers";

/** Attempts of a step that throws. */
const ATTEMPTS = 5;

interface LifeOptions {
  /** Called with the milliseconds of a sleep that has begun; the sleep is over at once. */
  onSleep?: (ms: number) => void;
}

/**
 * A stand-in for a Workflow instance that keeps to what the platform documents: the results of steps survive by their names, an
 * event is delivered once, and a new life of the instance runs the same code again. The local server is no help here: it delivers
 * consumed events anew, which would hide errors.
 */
export class FakeInstance {
  /** Results of steps, waits and sleeps by their names. */
  readonly results = new Map<string, unknown>();
  /** Names of the steps, waits and sleeps that were begun without a known result, by all lives, in their order. */
  readonly begun: string[] = [];
  /** Types of events that nobody has waited for yet. */
  private readonly events: string[] = [];
  private readonly waiters = new Map<string, (() => void)[]>();

  /** Begins a life: the step object that the instance's code is run with. */
  live(options: LifeOptions = {}): Life {
    return new Life(this, options);
  }

  send(type: string): void {
    const next = this.waiters.get(type)?.shift();
    if (next) next();
    else this.events.push(type);
  }

  /** Resolves when an event of this type is delivered to the caller. */
  async receive(type: string): Promise<void> {
    const waiting = this.events.indexOf(type);
    if (waiting >= 0) return void this.events.splice(waiting, 1);
    await new Promise<void>((resolve) => this.waiters.set(type, [...(this.waiters.get(type) ?? []), resolve]));
  }

  /** Nobody waits any more: later events are kept for the next life. */
  forgetWaiters(): void {
    this.waiters.clear();
  }
}

/** One run of an instance's code, until the platform ends it: from then on no step of this life returns. */
export class Life implements WorkflowStep {
  private ended = false;

  constructor(
    private readonly instance: FakeInstance,
    private readonly options: LifeOptions,
  ) {}

  /** The instance hibernates or crashes. */
  end(): void {
    this.ended = true;
    this.instance.forgetWaiters();
  }

  do<T>(name: string, ...rest: unknown[]): Promise<T> {
    const callback = rest.find((argument) => typeof argument === "function") as StepCallback<T>;
    return this.once(name, async () => copyOf(await attempted(name, callback)));
  }

  waitForEvent<T>(name: string, { type }: { type: string }): Promise<WorkflowStepEvent<T>> {
    return this.once(name, async () => {
      await this.instance.receive(type);
      return { type, payload: undefined as T, timestamp: new Date() };
    });
  }

  sleep = (name: string, ms: number | string): Promise<void> =>
    this.once(
      name,
      async () => {},
      () => this.options.onSleep?.(Number(ms)),
    );

  sleepUntil = (name: string, time: Date | number): Promise<void> => this.sleep(name, Number(time) - Date.now());

  /** The stored result under this name; else it is made, and stored unless this life has ended meanwhile. */
  private async once<T>(name: string, make: () => Promise<T>, kept?: () => void): Promise<T> {
    const { results, begun } = this.instance;
    if (!results.has(name)) {
      begun.push(name);
      const result = await make();
      if (this.ended) return never();
      results.set(name, result);
      kept?.();
    }
    await nextTask(); // the platform answers no step at once
    return this.ended ? never() : (results.get(name) as T);
  }
}

type StepCallback<T> = (context: WorkflowStepContext) => Promise<T>;

async function attempted<T>(name: string, callback: StepCallback<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await callback({ step: { name, count: 1 }, attempt, config: {} });
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

/** The stored result is a copy, as data. */
const copyOf = <T>(value: T): T => (value === undefined ? value : JSON.parse(JSON.stringify(value)));
const never = () => new Promise<never>(() => {});
const nextTask = () => new Promise<void>((resolve) => setTimeout(resolve));
