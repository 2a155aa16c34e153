// npm run chaos [-- --seed 1 --runs 100 --kills 10 | --short]: runs in a storm of faults, and whether every promise has held. Exit code 1: one has not.
import { parseArgs } from "node:util";
import { chaos, FULL, SHORT } from "./chaos/chaos.mjs";
import { report } from "./chaos/report.mjs";
import { onStop } from "./lib/stopping.mjs";
import { dim, red, say } from "./lib/terminal.mjs";

const { values } = parseArgs({
  options: {
    short: { type: "boolean", default: false },
    seed: { type: "string" },
    runs: { type: "string" },
    kills: { type: "string" },
  },
});

const size = values.short ? SHORT : FULL;

/** @type {() => Promise<void>} */
let stop = async () => {};
onStop(() => void stop().then(() => process.exit(1)));
const result = await chaos({
  ...size,
  seed: values.seed ?? size.seed,
  runs: Number(values.runs ?? size.runs),
  kills: Number(values.kills ?? size.kills),
  say: (text) => say(dim(text)),
  onStart: (ended) => (stop = ended),
});
say();
say(report(result));
if (result.wrong.length) {
  for (const what of result.wrong) say(red(`  ${what}`));
  process.exitCode = 1;
}
