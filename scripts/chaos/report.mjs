import { table } from "../lib/terminal.mjs";
import { paidAgain } from "./laws.mjs";

/** @param {Awaited<ReturnType<typeof import("./chaos.mjs").chaos>>} result */
export function report({
  stories,
  evidence,
  outages,
  logs,
  redelivered,
  calls,
  received,
  counts,
  seconds,
  seed,
  wrong,
}) {
  const workflows = [...new Set(stories.map(({ plan }) => plan.scenario.workflow))];
  const row = (name, some) => {
    const known = some.flatMap((at) => evidence[at] ?? []);
    const sum = (of) => known.reduce((total, one) => total + of(one), 0);
    const mine = some.map((at) => stories[at]);
    return [
      name,
      mine.length,
      mine.filter(({ status }) => status === "completed").length,
      mine.reduce((total, { failures }) => total + failures.length, 0),
      sum(({ calls: own }) => own.length),
      sum(({ calls: own }) => own.filter(({ outcome }) => outcome !== "good").length),
      sum(paidAgain),
      sum(({ artifacts }) => artifacts.length),
      sum(({ events }) => events.length),
      mine.reduce((total, { answers }) => total + answers.length, 0),
      sum(({ interactions }) => interactions.filter(({ status }) => status === "expired").length),
    ].map(String);
  };
  const all = stories.map((_, at) => at);
  const head = [
    "workflow",
    "runs",
    "completed",
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
        all.filter((at) => stories[at].plan.scenario.workflow === name),
      ),
    ),
    row("all", all),
  ];
  const failures = tally(stories.flatMap((story) => story.failures.map(({ error }) => error.code)));
  const lines = [
    table(head, rows),
    "",
    `Model      ${calls.length} calls: ${tally(calls.map(({ outcome }) => outcome))}`,
    `People     ${tally(stories.map(({ plan }) => plan.temper))}; paused ${stories.filter(({ plan }) => plan.pause_at !== null).length}`,
    `Webhooks   ${logs.length} deliveries, ${received.length} posts: ${tally(received.map(({ outcome }) => outcome))}; ${redelivered} redelivered`,
    `Server     ${outages.all.length} kills, ${counts.requests} requests, ${counts.cut} cut off`,
    `Failures   ${failures || "none"}`,
    "",
    `Seed ${seed}: ${stories.length} runs in ${seconds.toFixed(0)} s, ${wrong.length} violations`,
  ];
  return lines.join("\n");
}

const tally = (names) =>
  [...Map.groupBy(names, (name) => name)]
    .toSorted(([, some], [, others]) => others.length - some.length)
    .map(([name, some]) => `${some.length} ${name}`)
    .join(", ");
