// Measures the CPU time of comparing a thousand ideas in workerd. Clocks stand still inside a computing Worker, so it reads the kernel's
// CPU time of the process before and after a request, compilation and garbage collection included.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { cpuOf, killAll, parentOf, tree } from "../lib/processes.mjs";
import { freePorts } from "../lib/server.mjs";
import { markdownTable, say } from "../lib/terminal.mjs";
import { spawnWrangler } from "../lib/wrangler.mjs";

const REPEATS = 7;
/** Labels and paths of the measures in deduplication-worker.mjs: `<dimensions>@<themes>` for vectors, or `words`. */
const MEASURES = [
  ["vectors of 384, 20 themes", "384@20"],
  ["vectors of 512, 20 themes", "512@20"],
  ["vectors of 1,536, 20 themes", "1536@20"],
  ["vectors of 1,536, all equally similar", "1536@0"],
  ["words", "words"],
];

export async function benchDeduplication({ quick }) {
  const rows = [];
  for (const [label, measure] of MEASURES) {
    const [first, ...later] = await inWorkerd(measure, quick ? 2 : REPEATS);
    rows.push([label, `${first.toFixed(0)} ms`, `${Math.min(...later).toFixed(0)} ms`]);
  }
  say(markdownTable(["1,000 ideas without duplicates, by", "first time in a new isolate", "best of the next"], rows));
}

/** CPU milliseconds of each of several requests, in a new workerd. */
async function inWorkerd(measure, repeats) {
  const folder = mkdtempSync(join(tmpdir(), "parley-bench-"));
  const config = join(folder, "wrangler.json");
  const main = join(import.meta.dirname, "deduplication-worker.mjs");
  writeFileSync(
    config,
    JSON.stringify({ name: "dedupe", main, compatibility_date: "2026-10-30", compatibility_flags: ["nodejs_compat"] }),
  );
  const [port, inspector] = await freePorts(2);
  const where = ["--ip", "127.0.0.1", "--port", String(port), "--inspector-port", String(inspector)];
  const child = spawnWrangler(["dev", "--config", config, ...where, "--show-interactive-dev-session=false"], {
    env: { CI: "1" },
  });
  try {
    const ask = async (path) => (await fetch(`http://127.0.0.1:${port}/${path}`)).json();
    while (!(await ask(measure).catch(() => null))) await sleep(100);
    // One workerd forwards requests to the other, which takes it a few milliseconds.
    const runtimes = tree(child.pid).filter((pid) => parentOf(pid, /^workerd$/) !== null);
    const spent = () => runtimes.reduce((sum, pid) => sum + cpuOf(pid), 0);
    const times = [];
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
    killAll(tree(child.pid));
    rmSync(folder, { recursive: true, force: true });
  }
}
