// npm run chaos [-- --seed 1 --runs 100 --kills 10 | --short]: plays runs under injected faults, and checks every promise. Exit code 1: a
// promise was broken. --faults 0.05: this share of the calls of D1, R2, Durable Objects and Workflows fails, before or after it is executed;
// --outages 10,40: D1 and R2 are away for so many seconds each; --slow: slow models, and runs that are canceled and retried meanwhile;
// --host node: on the host of `npm run serve`.
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
    faults: { type: "string" },
    outages: { type: "string" },
    slow: { type: "boolean", default: false },
    host: { type: "string" },
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
  faults: Number(values.faults ?? 0),
  storageOutages: (values.outages ?? "").split(",").filter(Boolean).map(Number),
  slow: values.slow,
  host: values.host,
  say: (text) => say(dim(text)),
  onStart: (stopServer) => (stop = stopServer),
});
say();
say(report(result));
if (result.violations.length) {
  for (const violation of result.violations) say(red(`  ${violation}`));
  process.exitCode = 1;
}
