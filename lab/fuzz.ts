import { FULL, fuzz, SHORT } from "./fuzz/fuzz.ts";
import { command } from "../scripts/lib/command.ts";
import { bold, dim, red, say, table } from "../scripts/lib/terminal.ts";

const { values } = command({
  name: "fuzz",
  what: `Sends requests generated from the OpenAPI document, and checks that it declares every response. Exit code 1: a response breaks a
promise.`,
  options: {
    short: { type: "boolean", help: "1500 requests: the form of the test suite" },
    seed: { type: "string", value: "N", help: "of the requests (1)" },
    requests: { type: "string", value: "N", help: "the least number over all operations (20000)" },
    only: { type: "string", value: "OPERATION", help: "one operation, by its id" },
    path: { type: "string", value: "PATH", help: "of a counterexample that was reported: only this one is sent" },
  },
  example: "--short --only createRun",
});

const size = values.short ? SHORT : FULL;

const { results, seed } = await fuzz({
  seed: Number(values.seed ?? size.seed),
  requests: Number(values.requests ?? size.requests),
  only: values.only,
  path: values.path,
  say: (text) => say(dim(text)),
});

const total = new Map<number, number>();
for (const { statuses } of results)
  for (const [status, count] of statuses) total.set(status, (total.get(status) ?? 0) + count);
const columns = [...total.keys()].toSorted((a, b) => a - b);
const cells = (statuses: Map<number, number>) => columns.map((status) => String(statuses.get(status) ?? ""));
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
