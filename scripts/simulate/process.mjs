import { openD1 } from "../../src/node/d1.ts";
import { DurableObjects } from "../../src/node/durable-objects.ts";
import { Life } from "../../src/node/host.ts";
import { openR2 } from "../../src/node/r2.ts";
import { Workflows } from "../../src/node/workflows.ts";
import worker, * as classes from "../../src/worker.ts";

/** Namespaces of the Durable Objects, as in wrangler.toml. */
const NAMESPACES = {
  KEEPER: "Keeper",
  WEBHOOKS: "WebhookSender",
  INDEXERS: "CorpusIndexer",
  FEEDS: "EventFeed",
  RATE_LIMITS: "RateLimiter",
  PROVIDER_GATES: "ProviderGate",
};

/** A process of the whole Worker: everything in it is gone when it crashes, except what is stored. */
export class Process {
  /**
   * @param {string} name
   * @param {import("./scheduler.mjs").Scheduler} scheduler
   * @param {import("./storage.mjs").Storage} storage outlives the process
   * @param {Record<string, string>} variables
   */
  constructor(name, scheduler, storage, variables) {
    this.life = new Life(name);
    this.startedAt = scheduler.now();
    const env = {
      ...variables,
      DB: openD1(storage.d1, scheduler),
      BUCKET: openR2(storage.blobs, scheduler),
      ASSETS: { fetch: async () => new Response("There are no assets.", { status: 404 }) },
    };
    this.env = env;
    this.objects = new DurableObjects(scheduler, this.life, storage.objects, /** @type {any} */ (classes), env);
    this.workflows = new Workflows(
      scheduler,
      this.life,
      storage.workflows,
      /** @type {any} */ (classes.RunWorkflow),
      env,
    );
    env.RUNS = this.workflows.binding();
    for (const [binding, className] of Object.entries(NAMESPACES)) env[binding] = this.objects.namespace(className);
  }

  /** Resumes what is stored: alarms, and instances if the platform does it by itself. */
  resume(instances) {
    this.objects.resume();
    if (instances) for (const id of this.workflows.interrupted()) this.workflows.resume(id);
  }

  /** The life of a request. */
  begin(name) {
    return new Life(name, this.life);
  }

  /** Answers a request, in the life that is current. */
  async handle({ url, method, headers, body }) {
    const request = new Request(url, { method, headers, ...(method !== "GET" && method !== "HEAD" && { body }) });
    const context = {
      waitUntil: (promise) => void Promise.resolve(promise).catch(() => {}),
      passThroughOnException() {},
    };
    const response = await worker.fetch(request, this.env, /** @type {any} */ (context));
    const bytes = response.body ? new Uint8Array(await response.arrayBuffer()) : null;
    return { status: response.status, headers: response.headers, body: bytes };
  }
}
