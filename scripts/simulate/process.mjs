import { WorkerProcess } from "../../src/node/worker-process.ts";
import { Life } from "../../src/node/host.ts";
import * as worker from "../../src/worker.ts";

const NO_ASSETS = { fetch: async () => new Response("There are no assets.", { status: 404 }) };

/** A process of the whole Worker in a world: everything in it is gone when it crashes, except what is stored. */
export class Process extends WorkerProcess {
  /**
   * @param {string} name
   * @param {import("./scheduler.mjs").Scheduler} scheduler
   * @param {import("./storage.mjs").Storage} storage outlives the process
   * @param {Record<string, string>} variables
   */
  constructor(name, scheduler, storage, variables) {
    super(/** @type {any} */ (worker), {
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
  begin(name) {
    return new Life(name, this.life);
  }

  /** Answers a request, in the life that is current. */
  async handle({ url, method, headers, body }) {
    const request = new Request(url, { method, headers, ...(method !== "GET" && method !== "HEAD" && { body }) });
    const response = await this.fetch(request);
    const bytes = response.body ? new Uint8Array(await response.arrayBuffer()) : null;
    return { status: response.status, headers: response.headers, body: bytes };
  }
}
