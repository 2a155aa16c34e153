/**
 * The Worker with faults at the platform's edge, for `npm run chaos`: calls of D1, R2, Durable Objects and Workflows fail before they are
 * executed, or are executed and lose their answer; the results of steps are lost. `PUT /chaos/faults` sets which.
 */
import type { WorkflowEvent, WorkflowStep } from "cloudflare:workers";
import worker from "../../src/worker";
import * as classes from "../../src/worker";
import { type Decide, type EdgeCall, withFaults } from "../../test/support/faults";

interface Faults {
  /** Share of calls that fail, 0 to 1. */
  rate: number;
  /** Share of calls that are delayed by up to two seconds. */
  delayed: number;
  /** Until then every call of D1 and R2 fails. Milliseconds since the epoch. */
  away_until: number;
}

// One isolate serves all requests and objects of a local server.
let faults: Faults = { rate: 0, delayed: 0, away_until: 0 };
const injected: Record<string, number> = {};

const decide: Decide = async ({ binding }: EdgeCall) => {
  const isStorage = binding === "DB" || binding === "BUCKET";
  if (isStorage && Date.now() < faults.away_until) return count("outage", "before");
  if (Math.random() < faults.delayed) await new Promise((resolve) => setTimeout(resolve, 50 + Math.random() * 1950));
  if (Math.random() >= faults.rate) return "ok";
  return count(binding, Math.random() < 0.5 ? "before" : "after");
};

function count<T>(what: string, fault: T): T {
  injected[what] = (injected[what] ?? 0) + 1;
  return fault;
}

const wrapped = new WeakMap<Env, Env>();
const faulty = (env: Env): Env => {
  const known = wrapped.get(env) ?? withFaults(env, decide);
  wrapped.set(env, known);
  return known;
};

/** Loses the result of a step now and then: the platform does it again. */
const losing = (step: any): WorkflowStep =>
  ({
    do: (name: string, config: object, work: (context: unknown) => Promise<unknown>) =>
      step.do(name, config, async (context: unknown) => {
        const result = await work(context);
        if (Math.random() < faults.rate / 5) throw count("step", new Error("Chaos: the step's result was lost."));
        return result;
      }),
    sleep: (...given: unknown[]) => step.sleep(...given),
    waitForEvent: (...given: unknown[]) => step.waitForEvent(...given),
  }) as unknown as WorkflowStep;

/** The same class on faulty bindings. */
const onFaults = <T extends abstract new (...args: any[]) => object>(base: T): T =>
  class extends (base as any) {
    constructor(context: unknown, env: Env) {
      super(context, faulty(env));
    }
  } as unknown as T;

export class Committer extends onFaults(classes.Committer) {}
export class CorpusIndexer extends onFaults(classes.CorpusIndexer) {}
export class EventFeed extends onFaults(classes.EventFeed) {}
export class MaintenanceWorker extends onFaults(classes.MaintenanceWorker) {}
export class WebhookSender extends onFaults(classes.WebhookSender) {}
export class RateLimiter extends classes.RateLimiter {}
export class ProviderGate extends classes.ProviderGate {}
export class RunWorkflow extends onFaults(classes.RunWorkflow) {
  override run(event: Readonly<WorkflowEvent<{ run_id: string; epoch: number }>>, step: WorkflowStep): Promise<void> {
    return super.run(event, losing(step));
  }
}

export default {
  async fetch(request, env, context) {
    if (new URL(request.url).pathname !== "/chaos/faults") return worker.fetch(request as never, faulty(env), context);
    if (request.method === "PUT") faults = { ...faults, ...(await request.json<Partial<Faults>>()) };
    return Response.json(injected);
  },
} satisfies ExportedHandler<Env>;
