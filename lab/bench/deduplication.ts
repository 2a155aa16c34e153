// Measures the CPU time of comparing a thousand ideas in workerd. Clocks stand still inside a computing Worker, so it reads the kernel's
// CPU time of the process before and after a request, compilation and garbage collection included.
import { setTimeout as sleep } from "node:timers/promises";
import type { Json } from "../../scripts/lib/api.ts";
import { cpuOf, parentOf, tree } from "../../scripts/lib/processes.ts";
import { markdownTable, say } from "../../scripts/lib/terminal.ts";
import { startPlainWorker } from "./plain-worker.ts";

const REPEATS = 7;
/** Labels and paths of the measures in deduplication-worker.ts: `<dimensions>@<themes>` for vectors, or `words`. */
const MEASURES: [label: string, path: string][] = [
  ["vectors of 384, 20 themes", "384@20"],
  ["vectors of 512, 20 themes", "512@20"],
  ["vectors of 1,536, 20 themes", "1536@20"],
  ["vectors of 1,536, all equally similar", "1536@0"],
  ["words", "words"],
];

export async function benchDeduplication({ quick }: { quick: boolean }) {
  const rows: string[][] = [];
  for (const [label, measure] of MEASURES) {
    const [first = NaN, ...later] = await inWorkerd(measure, quick ? 2 : REPEATS);
    rows.push([label, `${first.toFixed(0)} ms`, `${Math.min(...later).toFixed(0)} ms`]);
  }
  say(markdownTable(["1,000 ideas without duplicates, by", "first time in a new isolate", "best of the next"], rows));
}

/** CPU milliseconds of each of several requests, in a new workerd. */
async function inWorkerd(measure: string, repeats: number) {
  const worker = await startPlainWorker("deduplication-worker.ts");
  try {
    const ask = async (path: string): Promise<Json> => (await fetch(`${worker.url}/${path}`)).json();
    await ask(measure);
    // One workerd forwards requests to the other, which takes it a few milliseconds.
    const runtimes = tree(worker.pid).filter((pid) => parentOf(pid, /^workerd$/) !== null);
    const spent = () => runtimes.reduce((sum, pid) => sum + cpuOf(pid), 0);
    const times: number[] = [];
    for (let count = 0; count < repeats; count++) {
      await sleep(300);
      const before = spent();
      const { kept } = await ask(`${measure}/dedupe`);
      if (kept !== 1000)
        throw new Error(`${kept} of 1,000 ideas were kept: they are too similar for this measurement.`);
      times.push(spent() - before);
    }
    return times;
  } finally {
    worker.stop();
  }
}
