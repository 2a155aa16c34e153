import type { DeploymentMetrics } from "./get-deployment-metrics";
import type { Metrics } from "./schema";

/** The media type of the Prometheus text format. */
export const EXPOSITION = "text/plain; version=0.0.4; charset=utf-8";

type Labels = Record<string, string>;
type Sample = [Labels, number | null];

/**
 * A tenant's metrics in the Prometheus text format. All are gauges, because deletions make them fall. The cost of models without a price has no
 * value and is left out.
 */
export function exposition(metrics: Metrics): string {
  const ofCorpora = (of: (counts: Metrics["corpora"][number]) => number | null): Sample[] =>
    metrics.corpora.map((counts) => [{ mode: counts.mode }, of(counts)]);
  const quotas = Object.entries(metrics.quotas);
  return [
    ...storedFamilies(metrics),
    family(
      "parley_corpora",
      "Corpora.",
      ofCorpora(({ corpora }) => corpora),
    ),
    family(
      "parley_corpus_llm_calls",
      "Requests for vectors that corpora have made.",
      ofCorpora(({ llm_calls }) => llm_calls),
    ),
    family(
      "parley_corpus_tokens",
      "Tokens that corpora have had embedded.",
      ofCorpora(({ input_tokens }) => input_tokens),
    ),
    family(
      "parley_corpus_cost_usd",
      "What vectors of corpora have cost, where prices are known.",
      ofCorpora(({ cost_usd }) => cost_usd),
    ),
    family(
      "parley_quota_used",
      "What the tenant uses of each quota.",
      quotas.map(([quota, { used }]): Sample => [{ quota }, used]),
    ),
    family(
      "parley_quota_limit",
      "The tenant's limit of each quota.",
      quotas.map(([quota, { limit }]): Sample => [{ quota }, limit]),
    ),
  ].join("");
}

/** What the whole deployment has stored, in the Prometheus text format. */
export const deploymentExposition = (metrics: DeploymentMetrics): string =>
  [
    ...storedFamilies(metrics),
    family(
      "parley_failing_provider_runs",
      "Runs that wait for a provider that fails.",
      metrics.failing_providers.map(({ provider, runs }): Sample => [{ provider }, runs]),
    ),
    family("parley_maintenance_overdue_seconds", "How long the next maintenance pass is overdue.", [
      [{}, metrics.maintenance_overdue_ms / 1000],
    ]),
    family("parley_tenants", "Tenants.", [[{}, metrics.tenants]]),
  ].join("");

/** The counts that a tenant and a deployment have in common. */
type StoredCounts = Pick<
  Metrics,
  "taken_at" | "runs" | "stalled_runs" | "open_interactions" | "oldest_queued_since" | "webhook_deliveries"
>;

function storedFamilies(metrics: StoredCounts): string[] {
  const each = (of: (counts: Metrics["runs"][number]) => number | null, more: Labels = {}): Sample[] =>
    metrics.runs.map((counts) => [
      { workflow: counts.workflow, mode: counts.mode, status: counts.status, ...more },
      of(counts),
    ]);
  const { oldest_queued_since: since, taken_at } = metrics;
  return [
    family(
      "parley_runs",
      "Runs.",
      each(({ runs }) => runs),
    ),
    family(
      "parley_llm_calls",
      "Calls of models that runs have made.",
      each(({ llm_calls }) => llm_calls),
    ),
    family("parley_tokens", "Tokens that runs have used; cached_input is part of input, reasoning of output.", [
      ...each(({ input_tokens }) => input_tokens, { kind: "input" }),
      ...each(({ cached_input_tokens }) => cached_input_tokens, { kind: "cached_input" }),
      ...each(({ output_tokens }) => output_tokens, { kind: "output" }),
      ...each(({ reasoning_tokens }) => reasoning_tokens, { kind: "reasoning" }),
    ]),
    family(
      "parley_cost_usd",
      "What runs have cost, where prices are known.",
      each(({ cost_usd }) => cost_usd),
    ),
    family("parley_stalled_runs", "Runs that stall: they should make progress and make none.", [
      [{}, metrics.stalled_runs],
    ]),
    family("parley_open_interactions", "Questions that wait for an answer.", [[{}, metrics.open_interactions]]),
    family("parley_oldest_queued_seconds", "How long the run that was queued first has been waiting to start.", [
      [{}, since === null ? 0 : (Date.parse(taken_at) - Date.parse(since)) / 1000],
    ]),
    family("parley_webhook_deliveries", "Webhook deliveries that are not delivered.", [
      [{ status: "pending" }, metrics.webhook_deliveries.pending],
      [{ status: "failed" }, metrics.webhook_deliveries.failed],
    ]),
  ];
}

function family(name: string, help: string, samples: readonly Sample[]): string {
  const lines = samples.flatMap(([labels, value]) => (value === null ? [] : [`${name}${labelled(labels)} ${value}`]));
  return [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, ...lines, ""].join("\n");
}

function labelled(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escape(value)}"`);
  return pairs.length ? `{${pairs.join(",")}}` : "";
}

const escape = (value: string): string => value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
