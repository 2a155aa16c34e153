import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { ProcessMetrics } from "./metrics";

const registry = new Registry();
const registers = [registry];

/** A histogram of durations in seconds. */
const histogram = <Label extends string>(name: string, help: string, buckets: number[], labelNames: Label[]) =>
  new Histogram({ name: `parley_${name}_duration_seconds`, help, labelNames, buckets, registers });

/** Seconds. */
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const MODEL_BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 60, 120, 180, 300];
const RUN_BUCKETS = [1, 5, 15, 30, 60, 120, 300, 600, 1800, 3600, 14_400, 86_400, 604_800];

const requests = histogram(
  "http_request",
  "Requests by the resource in their path, method and status, until the response began.",
  REQUEST_BUCKETS,
  ["resource", "method", "status"],
);

const modelCalls = histogram(
  "model_call",
  "Model calls by provider and outcome: ok, or the error code. A call includes its repair and its tool rounds, and not its time in the queue.",
  MODEL_BUCKETS,
  ["provider", "outcome"],
);

const modelCallsUnderWay = new Gauge({
  name: "parley_model_calls_in_flight",
  help: "Model calls that wait for a response or for the provider's queue.",
  labelNames: ["provider"],
  registers,
});

const runs = histogram("run", "Ended runs by workflow, mode and status, from their creation.", RUN_BUCKETS, [
  "workflow",
  "mode",
  "status",
]);

const deliveries = histogram(
  "webhook_attempt",
  "Attempts to send a webhook, Slack message or mail, by kind and what became of the delivery.",
  REQUEST_BUCKETS,
  ["kind", "outcome"],
);

const passes = histogram("maintenance_pass", "Passes of the maintenance worker.", REQUEST_BUCKETS, []);

const failedParts = new Counter({
  name: "parley_maintenance_failures_total",
  help: "Parts of maintenance passes that failed; the next pass repeats them.",
  labelNames: ["part"],
  registers,
});

const inSeconds = (ms: number): number => Math.max(0, ms) / 1000;

/**
 * Metrics in memory, in the Prometheus text format. They start at zero with the process, as Prometheus expects. Labels have few values each: no ids
 * and no names that callers choose. The Worker on Cloudflare does not import this file.
 */
export const prometheus: ProcessMetrics = {
  request: (labels, ms) => requests.observe(labels, inSeconds(ms)),
  modelCall: (labels, ms) => modelCalls.observe(labels, inSeconds(ms)),
  modelCallStarted: (provider) => modelCallsUnderWay.inc({ provider }),
  modelCallEnded: (provider) => modelCallsUnderWay.dec({ provider }),
  runEnded: (labels, ms) => runs.observe(labels, inSeconds(ms)),
  deliveryAttempt: (labels, ms) => deliveries.observe(labels, inSeconds(ms)),
  maintenancePass(failed, ms) {
    passes.observe(inSeconds(ms));
    for (const part of failed) failedParts.inc({ part });
  },
  exposition: () => registry.metrics(),
};

/** Adds the memory, CPU time, event loop and garbage collection of the Node process. Call it once per process. */
export const addProcessMetrics = (): void => collectDefaultMetrics({ register: registry });
