/** The alert rules and the dashboard in docs/operating name only metrics that `GET /metrics` has on Node. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { deploymentExposition } from "#services/metrics/exposition";
import { addProcessMetrics, prometheus } from "#services/telemetry/prometheus";
import { ROOT } from "../../../../scripts/lib/wrangler.ts";

/** Names of samples: of a histogram also those of its buckets, count and sum. */
const known = new Set<string>(["up"]);
beforeAll(async () => {
  addProcessMetrics();
  const stored = deploymentExposition({
    taken_at: "2026-01-01T00:00:00.000Z",
    runs: [],
    stalled_runs: 0,
    open_interactions: 0,
    oldest_queued_since: null,
    webhook_deliveries: { pending: 0, failed: 0 },
    tenants: 0,
    failing_providers: [],
    maintenance_overdue_ms: 0,
  });
  for (const [, name, type] of `${stored}\n${await prometheus.exposition()}`.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
    known.add(name!);
    if (type === "histogram") for (const suffix of ["bucket", "count", "sum"]) known.add(`${name}_${suffix}`);
  }
});

const read = (file: string) => readFileSync(join(ROOT, "docs/operating", file), "utf8");
const METRIC = /\b(?:parley|process|nodejs)_\w+|\bup(?=\{)/g;

it.each(["alerts.yml", "dashboard.json"])("%s names only metrics that exist", (file) => {
  const names = [...new Set(read(file).match(METRIC))];
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name) => !known.has(name))).toEqual([]);
});

it("the dashboard has an expression in each panel, and each alert one of its own", () => {
  const { panels } = JSON.parse(read("dashboard.json")) as { panels: { targets: { expr: string }[] }[] };
  for (const { targets } of panels) for (const { expr } of targets) expect(expr).toMatch(METRIC);
  const alerts = read("alerts.yml").match(/- alert: \w+/g)!;
  expect(new Set(alerts).size).toBe(alerts.length);
  expect(read("alerts.yml").match(/ expr: /g)).toHaveLength(alerts.length);
});
