/**
 * What a process counts as it works. Only where one process is the whole deployment do its counters mean something, so a host installs them: the Node
 * host does, and on Cloudflare nothing is counted. Durations are milliseconds.
 */
export interface ProcessMetrics {
  request(labels: { resource: string; method: string; status: number }, ms: number): void;
  modelCall(labels: { provider: string; outcome: string }, ms: number): void;
  modelCallStarted(provider: string): void;
  modelCallEnded(provider: string): void;
  runEnded(labels: { workflow: string; mode: string; status: string }, ms: number): void;
  deliveryAttempt(labels: { kind: string; outcome: "delivered" | "pending" | "failed" }, ms: number): void;
  maintenancePass(failed: readonly string[], ms: number): void;
  /** All of them in the Prometheus text format. */
  exposition(): Promise<string>;
}

let installed: ProcessMetrics | null = null;

/** Called once per process, before it serves. */
export function installMetrics(metrics: ProcessMetrics): void {
  installed = metrics;
}

/** The metrics of this process; null: it counts nothing. */
export const processMetrics = (): ProcessMetrics | null => installed;
