import type { chaos } from "./chaos.ts";
import { table } from "../../scripts/lib/terminal.ts";
import { type Evidence, paidAgain } from "./laws.ts";

/** The tables and counts that `npm run chaos` prints. */
export function report({
  records,
  evidence,
  outages,
  logs,
  redelivered,
  calls,
  received,
  counts,
  seconds,
  seed,
  violations,
  injected,
}: Awaited<ReturnType<typeof chaos>>) {
  const workflows = [...new Set(records.map(({ plan }) => plan.scenario.workflow))];
  const row = (name: string, indexes: number[]) => {
    const created = indexes.flatMap((index) => evidence[index] ?? []);
    const sum = (count: (run: Evidence) => number) => created.reduce((total, run) => total + count(run), 0);
    const runs = indexes.flatMap((index) => records[index] ?? []);
    return [
      name,
      runs.length,
      runs.filter(({ status }) => status === "completed").length,
      runs.filter(({ status }) => status === "removed").length,
      runs.reduce((total, { failures }) => total + failures.length, 0),
      sum(({ calls: own }) => own.length),
      sum(({ calls: own }) => own.filter(({ outcome }) => outcome !== "good").length),
      sum(paidAgain),
      sum(({ artifacts }) => artifacts.length),
      sum(({ events }) => events.length),
      runs.reduce((total, { answers }) => total + answers.length, 0),
      sum(({ interactions }) => interactions.filter(({ status }) => status === "expired").length),
    ].map(String);
  };
  const all = records.map((_, index) => index);
  const head = [
    "workflow",
    "runs",
    "completed",
    "removed",
    "failed, retried",
    "calls",
    "faults",
    "paid again",
    "artifacts",
    "events",
    "answers",
    "expired",
  ];
  const rows = [
    ...workflows.map((name) =>
      row(
        name,
        all.filter((index) => records[index]?.plan.scenario.workflow === name),
      ),
    ),
    row("all", all),
  ];
  const failures = tally(records.flatMap((record) => record.failures.map(({ error }) => error.code)));
  const lines = [
    table(head, rows),
    "",
    `Model      ${calls.length} calls: ${tally(calls.map(({ outcome }) => outcome))}`,
    `People     ${tally(records.map(({ plan }) => plan.behaviour))}; paused ${records.filter(({ plan }) => plan.pause_at !== null).length}`,
    `Webhooks   ${logs.length} deliveries, ${received.length} posts: ${tally(received.map(({ outcome }) => outcome))}; ${redelivered} redelivered`,
    `Server     ${outages.all.length} kills, ${counts.requests} requests, ${counts.cut} cut off`,
    `Storage    ${
      Object.entries(injected)
        .map(([what, times]) => `${times} ${what}`)
        .join(", ") || "no faults"
    }`,
    `Failures   ${failures || "none"}`,
    "",
    `Seed ${seed}: ${records.length} runs in ${seconds.toFixed(0)} s, ${violations.length} violations`,
  ];
  return lines.join("\n");
}

const tally = (names: string[]) =>
  [...Map.groupBy(names, (name) => name)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([name, group]) => `${group.length} ${name}`)
    .join(", ");
