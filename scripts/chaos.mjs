// npm run chaos [-- --seed 1 --runs 100 --kills 10]: runs in a storm of faults, and whether every promise has held. Exit code 1: one has not.
import { parseArgs } from "node:util";
import { chaos } from "./lib/chaos/chaos.mjs";
import { report } from "./lib/chaos/report.mjs";
import { onStop } from "./lib/stopping.mjs";
import { dim, red, say } from "./lib/terminal.mjs";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    runs: { type: "string", default: "100" },
    kills: { type: "string", default: "10" },
  },
});

/** @type {() => Promise<void>} */
let stop = async () => {};
onStop(() => void stop().then(() => process.exit(1)));
const result = await chaos({
  seed: values.seed,
  runs: Number(values.runs),
  kills: Number(values.kills),
  absent: true,
  say: (text) => say(dim(text)),
  onStart: (ended) => (stop = ended),
});
say();
say(report(result));
if (result.wrong.length) {
  for (const what of result.wrong) say(red(`  ${what}`));
  process.exitCode = 1;
}
