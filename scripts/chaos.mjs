// npm run chaos [-- --seed 1 --runs 100 --kills 10 | --short]: plays runs under injected faults, and checks every promise. Exit code 1: a
// promise was broken.
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
  onStart: (stopServer) => (stop = stopServer),
});
say();
say(report(result));
if (result.violations.length) {
  for (const violation of result.violations) say(red(`  ${violation}`));
  process.exitCode = 1;
}
