// npm run bench -- growth [--runs 200,20000]: what lists, metrics, the keeper and exports cost beside so many stored runs. It has no pass or fail.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { markdownTable, say } from "../lib/terminal.mjs";
import { fill, openStore, OWNER, RARE, STEP } from "./stored-runs.mjs";

const REPEATS = 200;
const WARM = 10;
const BEGIN = Date.UTC(2026, 0, 1);

/** What is measured, by name. `newest` is the run that was created last. */
const OPERATIONS = {
  "list, first page": ({ runs }) => runs.list(OWNER, {}, 20, null),
  "list, last page": ({ runs }, { oldest }) => runs.list(OWNER, {}, 20, oldest),
  "list by status": ({ runs }) => runs.list(OWNER, { status: "failed" }, 20, null),
  "list by workflow": ({ runs }) => runs.list(OWNER, { workflow: "debate" }, 20, null),
  "list by metadata": ({ runs }) => runs.list(OWNER, { metadata: { project: "rare" } }, 20, null),
  "list by time, the oldest": ({ runs }) =>
    runs.list(OWNER, { created_after: BEGIN - 1, created_before: BEGIN + RARE * STEP }, 20, null),
  metrics: ({ metrics }) => metrics.of(OWNER),
  "open questions": ({ interactions }) => interactions.list(OWNER, { status: "open" }, 20, null),
  "questions of a run": ({ interactions }, { newest }) => interactions.list(OWNER, { run_id: newest }, 20, null),
  "a page of events": ({ events }, { newest }) => events.after(newest, 0, 100),
  "a page of artifacts": ({ artifacts }, { newest }) => artifacts.list(newest, {}, 20, null),
  "a page of an export": async ({ exports }, { middle }) => {
    for (const { id } of await exports.runs(OWNER, middle, 5)) await exports.artifacts(id, "", 25);
  },
  "a round of the keeper": async ({ maintenance, children, interactions, webhooks, queue, contents, archive }) => {
    await interactions.expireDue(BEGIN, BEGIN, 200);
    await queue.tenants();
    await maintenance.nudgeStale(BEGIN, BEGIN, 200);
    await children.awaitingParents(200);
    await maintenance.stalling(BEGIN, 200);
    await webhooks.endpointsDue(BEGIN, 200);
    await maintenance.endedBefore(BEGIN, 50);
    await webhooks.removeBefore(BEGIN, 200);
    await archive.due(BEGIN, 50);
    await contents.orphans(BEGIN, 50);
    await maintenance.remainingWork();
    await maintenance.firstEnd();
    await archive.nextDue(0);
  },
};

const percentile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

/**
 * Median and 95th percentile of each operation beside `count` runs: milliseconds of CPU of the one thread, reads of the file included, which
 * other processes of the machine do not disturb.
 */
async function measure(folder, count) {
  mkdirSync(folder);
  const { store, sqlite, firstIdAt } = await openStore(folder);
  fill(sqlite, firstIdAt, count, BEGIN);
  const at = (offset) => sqlite.prepare("SELECT id FROM runs ORDER BY id LIMIT 1 OFFSET ?").get(offset).id;
  const ids = { oldest: at(10), middle: at(Math.floor(count / 2)), newest: at(count - 1) };
  const times = {};
  for (const [name, operation] of Object.entries(OPERATIONS)) {
    const taken = [];
    for (let n = 0; n < WARM + REPEATS; n++) {
      const before = process.threadCpuUsage();
      await operation(store, ids);
      const { user, system } = process.threadCpuUsage(before);
      if (n >= WARM) taken.push((user + system) / 1000);
    }
    taken.sort((a, b) => a - b);
    times[name] = { median: percentile(taken, 0.5), p95: percentile(taken, 0.95) };
  }
  sqlite.close();
  return times;
}

/**
 * Prints, for each operation, its times beside the smallest number of runs and beside each larger one, and their ratio.
 * @param {readonly number[]} counts of stored runs
 * @param {string} folder for the databases
 */
export async function benchGrowth(counts, folder) {
  const measured = [];
  for (const count of counts) {
    say(`Measuring beside ${count} runs …`);
    measured.push(await measure(join(folder, `growth-${count}`), count));
  }
  const [first] = measured;
  const rows = Object.keys(OPERATIONS).map((name) => [
    name,
    ...measured.flatMap((times, at) => {
      const { median, p95 } = times[name];
      const ratios =
        at === 0 ? [] : [`${(median / first[name].median).toFixed(2)} / ${(p95 / first[name].p95).toFixed(2)}`];
      return [`${median.toFixed(2)} / ${p95.toFixed(2)}`, ...ratios];
    }),
  ]);
  const heads = counts.flatMap((count, at) => [`${count} runs, ms`, ...(at === 0 ? [] : [`× ${counts[0]}`])]);
  say(`\nMedian / 95th percentile of ${REPEATS}, of CPU time at the store, on node:sqlite.\n`);
  say(markdownTable(["", ...heads], rows));
}
