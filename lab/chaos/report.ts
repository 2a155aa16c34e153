import type { chaos } from "./chaos.ts";
import { table } from "../../scripts/lib/terminal.ts";
import { type Evidence, paidAgain } from "./laws.ts";
import type { RunRecord } from "./runs.ts";

/** What the table shows of some runs, by its column. */
const COLUMNS: Record<string, (records: RunRecord[], evidence: Evidence[]) => number> = {
  runs: (records) => records.length,
  completed: (records) => records.filter(({ status }) => status === "completed").length,
  removed: (records) => records.filter(({ status }) => status === "removed").length,
  "failed, retried": (records) => sum(records, ({ failures }) => failures.length),
  calls: (_, evidence) => sum(evidence, ({ calls }) => calls.length),
  faults: (_, evidence) => sum(evidence, ({ calls }) => calls.filter(({ outcome }) => outcome !== "good").length),
  "paid again": (_, evidence) => sum(evidence, paidAgain),
  artifacts: (_, evidence) => sum(evidence, ({ artifacts }) => artifacts.length),
  events: (_, evidence) => sum(evidence, ({ events }) => events.length),
  answers: (records) => sum(records, ({ answers }) => answers.length),
  expired: (_, evidence) =>
    sum(evidence, ({ interactions }) => interactions.filter(({ status }) => status === "expired").length),
};

const sum = <T>(items: T[], of: (item: T) => number) => items.reduce((total, item) => total + of(item), 0);

/** The tables and counts that `npm run chaos` prints. */
export function report(result: Awaited<ReturnType<typeof chaos>>) {
  const { records, evidence, outages, logs, redelivered, calls, received, counts, seconds, seed, injected } = result;
  const all = records.map((record, index) => ({ record, own: evidence[index] ?? null }));
  const row = (name: string, runs: typeof all) => {
    const own = runs.flatMap((run) => run.own ?? []);
    const played = runs.map(({ record }) => record);
    return [name, ...Object.values(COLUMNS).map((count) => String(count(played, own)))];
  };
  const byWorkflow = Map.groupBy(all, ({ record }) => record.plan.scenario.workflow);
  const rows = [...[...byWorkflow].map(([name, runs]) => row(name, runs)), row("all", all)];
  const failures = tally(records.flatMap((record) => record.failures.map(({ error }) => error.code)));
  const stored = Object.entries(injected)
    .map(([what, times]) => `${times} ${what}`)
    .join(", ");
  const lines = [
    table(["workflow", ...Object.keys(COLUMNS)], rows),
    "",
    `Model      ${calls.length} calls: ${tally(calls.map(({ outcome }) => outcome))}`,
    `People     ${tally(records.map(({ plan }) => plan.behaviour))}; paused ${records.filter(({ plan }) => plan.pause_at !== null).length}`,
    `Webhooks   ${logs.length} deliveries, ${received.length} posts: ${tally(received.map(({ outcome }) => outcome))}; ${redelivered} redelivered`,
    `Server     ${outages.all.length} kills, ${counts.requests} requests, ${counts.cut} cut off`,
    `Storage    ${stored || "no faults"}`,
    `Failures   ${failures || "none"}`,
    "",
    `Seed ${seed}: ${records.length} runs in ${seconds.toFixed(0)} s, ${result.violations.length} violations`,
  ];
  return lines.join("\n");
}

const tally = (names: string[]) =>
  [...Map.groupBy(names, (name) => name)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([name, group]) => `${group.length} ${name}`)
    .join(", ");
