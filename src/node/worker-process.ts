import { openD1 } from "./d1";
import { DurableObjects, type ObjectClass } from "./durable-objects";
import { eachAlone, type Transactions } from "./group-commit";
import { type Host, Life } from "./host";
import type { ObjectDatabase } from "./object-storage";
import { type Blobs, openR2 } from "./r2";
import type { WorkflowRecord } from "./workflow-record";
import { type Entrypoint, Workflows } from "./workflows";
import type { DatabaseSync } from "node:sqlite";

/** The stored state, which outlives the process. */
export interface ProcessStorage {
  d1: DatabaseSync;
  blobs: Blobs;
  objects: ObjectDatabase;
  workflows: WorkflowRecord;
}

/** The Worker's module. */
export interface WorkerModule {
  default: { fetch(request: Request, env: never, context: never): Response | Promise<Response> };
  RunWorkflow: Entrypoint;
  [className: string]: unknown;
}

/** A process of the whole Worker: everything in it is gone when it ends, except what is stored. */
export class WorkerProcess {
  readonly life: Life;
  readonly env: Record<string, unknown>;
  readonly objects: DurableObjects;
  readonly workflows: Workflows;

  /**
   * @param options.namespaces classes of Durable Objects by the names of their bindings
   * @param options.variables of the Worker, and further bindings
   * @param options.assets the binding ASSETS
   * @param options.onDamage is called with each error of a damaged database
   * @param options.isPaused requests are answered, and what they begin is stored: no instance is executed, and no alarm rings
   */
  constructor(
    private readonly worker: WorkerModule,
    {
      name,
      host,
      storage,
      namespaces,
      variables,
      assets,
      transactions = eachAlone(storage.d1),
      onDamage,
      isPaused,
    }: {
      name: string;
      host: Host;
      storage: ProcessStorage;
      namespaces: Readonly<Record<string, string>>;
      variables: Readonly<Record<string, unknown>>;
      assets: { fetch(request: Request): Promise<Response> };
      transactions?: Transactions;
      onDamage?: (error: Error) => void;
      isPaused?: boolean;
    },
  ) {
    this.life = new Life(name);
    this.env = {
      ...variables,
      DB: openD1(storage.d1, host, transactions, onDamage),
      BUCKET: openR2(storage.blobs, host),
      ASSETS: assets,
    };
    const classes = worker as unknown as Record<string, ObjectClass>;
    this.objects = new DurableObjects(host, this.life, storage.objects, classes, this.env, isPaused);
    this.workflows = new Workflows(host, this.life, storage.workflows, worker.RunWorkflow, this.env, isPaused);
    this.env.RUNS = this.workflows.binding();
    for (const [binding, className] of Object.entries(namespaces))
      this.env[binding] = this.objects.namespace(className);
  }

  /** Resumes what is stored: alarms, and instances if the platform does it by itself. */
  resume(instances: boolean): void {
    this.objects.resume();
    if (instances) for (const id of this.workflows.interrupted()) this.workflows.resume(id);
  }

  /** Answers a request. @param background is given the work that continues after the answer */
  async fetch(request: Request, background: (work: Promise<unknown>) => void = () => {}): Promise<Response> {
    const context = {
      waitUntil: (work: Promise<unknown>) => background(Promise.resolve(work).catch(() => {})),
      passThroughOnException() {},
    };
    return this.worker.default.fetch(request, this.env as never, context as never);
  }
}
