// How much processor time a thousand ideas take to be compared, in workerd. Its own clocks stand still while a Worker computes, so what the
// kernel says of all threads of the process is taken, before and after a request; that includes compiling and collecting garbage.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { cpuOf, killAll, parentOf, tree } from "../lib/processes.mjs";
import { freePorts } from "../lib/server.mjs";
import { markdownTable, say } from "../lib/terminal.mjs";
import { spawnWrangler } from "../lib/wrangler.mjs";

const REPEATS = 7;
/** What is compared, and how deduplication-worker.mjs makes it: dimensions of vectors and themes, or words. */
const MEASURES = [
  ["vectors of 384, 20 themes", "384@20"],
  ["vectors of 512, 20 themes", "512@20"],
  ["vectors of 1,536, 20 themes", "1536@20"],
  ["vectors of 1,536, all equally alike", "1536@0"],
  ["words", "words"],
];

export async function benchDeduplication({ quick }) {
  const rows = [];
  for (const [what, measure] of MEASURES) {
    const [first, ...later] = await inWorkerd(measure, quick ? 2 : REPEATS);
    rows.push([what, `${first.toFixed(0)} ms`, `${Math.min(...later).toFixed(0)} ms`]);
  }
  say(markdownTable(["1,000 ideas, none alike, by", "first time in a new isolate", "best of the next"], rows));
}

/** Milliseconds of CPU for each of several times, in a workerd of its own. */
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
    // One of them passes requests on to the other, which takes it a few milliseconds.
    const runtimes = tree(child.pid).filter((pid) => parentOf(pid, /^workerd$/) !== null);
    const spent = () => runtimes.reduce((sum, pid) => sum + cpuOf(pid), 0);
    const times = [];
    for (let count = 0; count < repeats; count++) {
      await sleep(300);
      const before = spent();
      const { kept } = await ask(`${measure}/dedupe`);
      if (kept !== 1000) throw new Error(`${kept} of 1,000 ideas were kept: they are too alike for this measurement.`);
      times.push(spent() - before);
    }
    return times;
  } finally {
    killAll(tree(child.pid));
    rmSync(folder, { recursive: true, force: true });
  }
}
