// npm run bench -- growth [--runs 200,20000]: what lists, metrics, the maintenance worker and exports cost beside so many stored runs. It has no pass or fail.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Store } from "../../src/store/store.ts";
import { markdownTable, say } from "../../scripts/lib/terminal.ts";
import { percentile } from "../lib/measure.ts";
import { fill, openStore, OWNER, RARE, STEP } from "./stored-runs.ts";

/** With 300, one collection of garbage decided a 95th percentile. */
const REPEATS = 3000;
const WARM = 100;
const BEGIN = Date.UTC(2026, 0, 1);

/** Ids of stored runs. */
interface Ids {
  oldest: string;
  middle: string;
  newest: string;
}

/** What is measured, by name. `newest` is the run that was created last. */
const OPERATIONS: Record<string, (store: Store, ids: Ids) => unknown> = {
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
  "a maintenance pass with nothing to do": ({ maintenance }) => maintenance.survey(TIMES),
  "all parts of a pass": async ({ maintenance, children, interactions, deliveries, queue, contents, archive }) => {
    await interactions.expireDue(BEGIN, BEGIN, 200);
    await queue.tenants();
    await maintenance.nudgeStale(BEGIN, BEGIN, 200);
    await children.awaitingParents(200);
    await maintenance.stalling(BEGIN, 200);
    await deliveries.endpointsDue(BEGIN, 200);
    await maintenance.endedBefore(BEGIN, 50);
    await deliveries.removeBefore(BEGIN, 200);
    await archive.due(BEGIN, 50);
    await contents.orphans(BEGIN, 50);
    await maintenance.remainingWork();
    await maintenance.firstEnd();
    await archive.nextDue(0);
  },
};

/** Before the first run. */
const TIMES = {
  now: BEGIN,
  silent_since: BEGIN,
  waiting_since: BEGIN,
  stalled_since: BEGIN,
  retained_since: BEGIN,
  archived_before: BEGIN,
  restored_before: BEGIN,
  audited_before: BEGIN,
  sealed_since: BEGIN,
  sealed_with: "[]",
};

type Times = Record<"median" | "p95" | "cpu", number>;

/**
 * What each operation takes beside `count` runs, in milliseconds: median and 95th percentile of its time, and the mean of its CPU time, which
 * other processes of the machine do not disturb.
 */
async function measure(folder: string, count: number) {
  mkdirSync(folder);
  const { store, sqlite, firstIdAt } = await openStore(folder);
  fill(sqlite, firstIdAt, count, BEGIN);
  const at = (offset: number) =>
    String(sqlite.prepare("SELECT id FROM runs ORDER BY id LIMIT 1 OFFSET ?").get(offset)?.id);
  const ids = { oldest: at(10), middle: at(Math.floor(count / 2)), newest: at(count - 1) };
  const times: Record<string, Times> = {};
  for (const [name, operation] of Object.entries(OPERATIONS)) {
    const taken: number[] = [];
    let before = process.threadCpuUsage();
    for (let n = 0; n < WARM + REPEATS; n++) {
      if (n === WARM) before = process.threadCpuUsage();
      const begun = performance.now();
      await operation(store, ids);
      if (n >= WARM) taken.push(performance.now() - begun);
    }
    const { user, system } = process.threadCpuUsage(before);
    times[name] = {
      median: percentile(taken, 0.5),
      p95: percentile(taken, 0.95),
      cpu: (user + system) / 1000 / REPEATS,
    };
  }
  sqlite.close();
  return times;
}

/**
 * Prints, for each operation, its times beside the smallest number of runs and beside each larger one, and their ratio.
 * @param counts of stored runs
 * @param folder for the databases
 */
export async function benchGrowth(counts: readonly number[], folder: string) {
  const measured: Record<string, Times>[] = [];
  for (const count of counts) {
    say(`Measuring beside ${count} runs …`);
    measured.push(await measure(join(folder, `growth-${count}`), count));
  }
  const [first] = measured;
  const rows = Object.keys(OPERATIONS).map((name) => [
    name,
    ...measured.flatMap((times, at) => {
      const figures = (["median", "p95", "cpu"] as const).map((figure): [number, number] => [
        times[name]?.[figure] ?? NaN,
        first?.[name]?.[figure] ?? NaN,
      ]);
      const ratios = at === 0 ? [] : [figures.map(([now, then]) => (now / then).toFixed(2)).join(" / ")];
      return [figures.map(([now]) => now.toFixed(2)).join(" / "), ...ratios];
    }),
  ]);
  const heads = counts.flatMap((count, at) => [`${count} runs, ms`, ...(at === 0 ? [] : [`× ${counts[0]}`])]);
  say(`\nMedian / 95th percentile of ${REPEATS} / mean CPU time, at the store, on node:sqlite.\n`);
  say(markdownTable(["", ...heads], rows));
}
