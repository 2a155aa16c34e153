import type { Scheduler } from "./scheduler.ts";
import type { Storage } from "./storage.ts";
import { WorkerProcess } from "../../src/node/worker-process.ts";
import { Life } from "../../src/node/host.ts";
import * as worker from "../../src/worker.ts";

const NO_ASSETS = { fetch: async () => new Response("There are no assets.", { status: 404 }) };

/** A process of the whole Worker in a world: everything in it is gone when it crashes, except what is stored. */
export class Process extends WorkerProcess {
  readonly startedAt: number;

  /** @param storage outlives the process */
  constructor(name: string, scheduler: Scheduler, storage: Storage, variables: Record<string, string>) {
    super(worker as never, {
      name,
      host: scheduler,
      storage,
      namespaces: DURABLE_OBJECTS,
      variables,
      assets: NO_ASSETS,
    });
    this.startedAt = scheduler.now();
  }

  /** The life of a request. */
  begin(name: string) {
    return new Life(name, this.life);
  }

  /** Answers a request, in the life that is current. */
  async handle({ url, method, headers, body }: { url: string; method: string; headers: Headers; body: string }) {
    const request = new Request(url, { method, headers, ...(method !== "GET" && method !== "HEAD" && { body }) });
    const response = await this.fetch(request);
    const bytes = response.body ? new Uint8Array(await response.arrayBuffer()) : null;
    return { status: response.status, headers: response.headers, body: bytes };
  }
}
