import { chaos, FULL, SHORT } from "./chaos/chaos.ts";
import { report } from "./chaos/report.ts";
import { command } from "../scripts/lib/command.ts";
import { dim, red, say } from "../scripts/lib/terminal.ts";

const { values } = command({
  name: "chaos",
  what: "Executes runs under injected faults, and checks every promise. Exit code 1: a promise was broken.",
  options: {
    short: { type: "boolean", help: "8 runs and 2 kills, without people who never answer: the form of the test suite" },
    seed: { type: "string", value: "N", help: "decides everything but the effects of the machine's speed (1)" },
    runs: { type: "string", value: "N", help: "how many (100)" },
    kills: { type: "string", value: "N", help: "of the server (10)" },
    faults: {
      type: "string",
      value: "SHARE",
      default: "0",
      help: "of the calls of D1, R2, Durable Objects and Workflows fail, before or after they are executed",
    },
    outages: {
      type: "string",
      value: "LIST",
      default: "",
      help: "D1 and R2 are away for so many seconds each, such as 10,40",
    },
    slow: { type: "boolean", help: "slow models, and runs that are canceled and retried meanwhile" },
    host: { type: "string", value: "HOST", help: "workerd, or node: the host of `npm run serve`" },
  },
  example: "--short --seed 7",
});

const size = values.short ? SHORT : FULL;

const result = await chaos({
  ...size,
  seed: values.seed ?? size.seed,
  runs: Number(values.runs ?? size.runs),
  kills: Number(values.kills ?? size.kills),
  faults: Number(values.faults),
  storageOutages: values.outages.split(",").filter(Boolean).map(Number),
  slow: values.slow,
  host: values.host,
  say: (text) => say(dim(text)),
});
say();
say(report(result));
if (result.violations.length) {
  for (const violation of result.violations) say(red(`  ${violation}`));
  process.exitCode = 1;
}
