import { type Host, Life } from "./host";
import { isStorageFailure, pauseAfter } from "./sqlite-errors";
import type { InstanceRow, WorkflowRecord } from "./workflow-record";
import { WorkflowSteps } from "./workflow-steps";

export type Entrypoint = new (ctx: never, env: never) => { run(event: never, step: never): Promise<unknown> };

interface Live {
  life: Life;
  steps: WorkflowSteps;
}

/** The Workflow instances of one process. What they have done is stored and outlives it. */
export class Workflows {
  private readonly live = new Map<string, Live>();

  /**
   * @param life of the process
   * @param isPaused instances are stored, and not executed
   */
  constructor(
    private readonly host: Host,
    private readonly life: Life,
    private readonly record: WorkflowRecord,
    private readonly entrypoint: Entrypoint,
    private readonly env: object,
    private readonly isPaused = false,
  ) {}

  /** The instances in memory. */
  inMemory(): string[] {
    return [...this.live.keys()];
  }

  /** The instances that have not ended and are not in memory. After a start all of them are to be resumed. */
  interrupted(): string[] {
    return this.record.running().filter((id) => !this.live.has(id));
  }

  /** Runs an instance from its beginning; steps that were done give their stored results. */
  resume(id: string): void {
    const row = this.record.instance(id);
    if (row?.status === "running" && !this.live.has(id)) this.run(row);
  }

  /** Drops an instance from memory, as a move to another machine does. */
  evict(id: string): void {
    this.live.get(id)?.life.end();
    this.live.delete(id);
  }

  /** The binding that the Worker is given. */
  binding(): Workflow {
    const call = <T>(what: string, writes: boolean, perform: () => T) =>
      this.host.call({ to: "workflow", what, writes }, perform);
    const handle = (id: string) => ({
      id,
      status: () => call(`status of ${id}`, false, () => this.status(id)),
      sendEvent: (event: { type: string; payload: unknown }) =>
        call(`event ${event.type} to ${id}`, true, () => this.send(id, event)),
      terminate: () => call(`terminate ${id}`, true, () => this.terminate(id)),
      delete: () => call(`delete ${id}`, true, () => this.delete(id)),
    });
    return {
      create: async ({ id, params }: { id: string; params: unknown }) => {
        await call(`create ${id}`, true, () => this.create(id, params));
        return handle(id);
      },
      get: async (id: string) => {
        await call(`get ${id}`, false, () => this.find(id));
        return handle(id);
      },
    } as unknown as Workflow;
  }

  private create(id: string, params: unknown): void {
    if (!this.record.create(id, params, this.host.now()))
      throw new Error("(instance.already_exists) Provided id already exists");
    // When the group with an earlier creation was lost, its instance is in memory still, and stored from now on.
    if (!this.live.has(id)) this.run(this.find(id));
  }

  /** @throws Error when there is no such instance */
  private find(id: string): InstanceRow {
    const row = this.record.instance(id);
    if (!row) throw new Error("(instance.not_found) Provided id does not exist");
    return row;
  }

  private status(id: string): { status: string; output?: unknown; error?: unknown } {
    const { status, result } = this.find(id);
    return { status, ...(status === "complete" && { output: result }), ...(status === "errored" && { error: result }) };
  }

  private send(id: string, { type, payload }: { type: string; payload: unknown }): void {
    const { status } = this.find(id);
    if (status !== "running") return;
    this.record.send(id, { type, payload, timestamp: this.host.now() });
    const live = this.live.get(id);
    if (live) this.host.at(this.host.now(), live.life, () => live.steps.wake(type));
    else this.resume(id);
  }

  private terminate(id: string): void {
    this.find(id);
    this.evict(id);
    this.record.end(id, "terminated", null);
  }

  private delete(id: string): void {
    this.find(id);
    this.evict(id);
    this.record.delete(id);
  }

  private run({ id, params, created_at }: InstanceRow): void {
    if (this.isPaused) return;
    const life = new Life(id, this.life);
    const steps = new WorkflowSteps(this.host, life, this.record, id);
    this.live.set(id, { life, steps });
    const event = { payload: params, timestamp: new Date(created_at), instanceId: id };
    this.host.at(this.host.now(), life, () => {
      const ctx = { waitUntil: (promise: Promise<unknown>) => void Promise.resolve(promise).catch(() => {}) };
      const instance = new this.entrypoint(ctx as never, this.env as never);
      instance.run(event as never, steps as never).then(
        (output) => this.end(id, life, "complete", output ?? null),
        (error: Error) => this.end(id, life, "errored", { name: error.name, message: error.message }),
      );
    });
  }

  private end(id: string, life: Life, status: "complete" | "errored", result: unknown, failures = 0): void {
    if (life.hasEnded) return;
    try {
      this.record.end(id, status, result);
    } catch (error) {
      if (!isStorageFailure(error)) throw error;
      const again = () => this.end(id, life, status, result, failures + 1);
      return void this.host.at(this.host.now() + pauseAfter(failures), life, again);
    }
    this.live.delete(id);
  }
}
