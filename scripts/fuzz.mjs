// npm run fuzz [-- --seed 1 --requests 20000 | --short]: sends requests generated from the OpenAPI document, and checks that it declares every
// response. Exit code 1: a response breaks a promise.
import { parseArgs } from "node:util";
import { FULL, fuzz, SHORT } from "./fuzz/fuzz.mjs";
import { onStop } from "./lib/stopping.mjs";
import { bold, dim, red, say, table } from "./lib/terminal.mjs";

const { values } = parseArgs({
  options: {
    short: { type: "boolean", default: false },
    seed: { type: "string" },
    requests: { type: "string" },
    only: { type: "string" },
    path: { type: "string" },
  },
});

const size = values.short ? SHORT : FULL;

/** @type {() => Promise<void>} */
let stop = async () => {};
onStop(() => void stop().then(() => process.exit(1)));
const { results, seed } = await fuzz({
  seed: Number(values.seed ?? size.seed),
  requests: Number(values.requests ?? size.requests),
  only: values.only,
  path: values.path,
  say: (text) => say(dim(text)),
  onStart: (stopServer) => (stop = stopServer),
});

const total = new Map();
for (const { statuses } of results)
  for (const [status, count] of statuses) total.set(status, (total.get(status) ?? 0) + count);
const columns = [...total.keys()].toSorted((a, b) => a - b);
const cells = (statuses) => columns.map((status) => String(statuses.get(status) ?? ""));
const rows = results.map(({ name, sent, statuses }) => [name, String(sent), ...cells(statuses)]);
const sent = results.reduce((sum, one) => sum + one.sent, 0);
const failed = results.filter(({ failure }) => failure);
say();
say(table(["operation", "requests", ...columns.map(String)], [...rows, ["all", String(sent), ...cells(total)]]));
say(`\n${bold(`Seed ${seed}: ${sent} requests, ${failed.length} operations that break a promise`)}`);
if (failed.length) {
  for (const { failure } of failed) say(red(`\n${failure}`));
  process.exitCode = 1;
}
