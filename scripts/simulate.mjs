// npm run simulate [-- --seeds 100 | --seed 7 | --sabotage name]: plays the whole Worker in simulated worlds, each made of a seed, and
// checks every promise. `--seed` replays one world and writes its schedule to a file. Exit code 1: a promise was broken.
import { parseArgs } from "node:util";
import { runSeeds } from "./simulate/run-seeds.mjs";
import { SABOTAGES } from "./simulate/sabotages.mjs";
import { bold, dim, red, say } from "./lib/terminal.mjs";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "100" },
    from: { type: "string", default: "1" },
    seed: { type: "string" },
    runs: { type: "string", default: "8" },
    processes: { type: "string", default: "2" },
    sabotage: { type: "string", multiple: true, default: [] },
    profile: { type: "string", default: "{}" },
  },
});
/** @param {(RegExp | undefined)[]} signs */
const anyOf = (signs) => new RegExp(signs.map((sign) => sign?.source).join("|"));

const count = values.seed ? 1 : Number(values.seeds);
const from = Number(values.seed ?? values.from);
const result = await runSeeds({
  seeds: Array.from({ length: count }, (_, at) => from + at),
  runs: Number(values.runs),
  processes: Number(values.processes),
  sabotages: values.sabotage,
  overrides: JSON.parse(values.profile),
  traced: values.seed !== undefined,
  stopAt: values.sabotage.length ? anyOf(values.sabotage.map((name) => SABOTAGES[name]?.sign)) : null,
  onResult: ({ seed, violations, profile, runs, completed, removed, events, real_ms, fingerprint }) => {
    const sum = `${completed} of ${runs} runs completed, ${removed} were removed, ${events} events, ${real_ms.toFixed(0)} ms, schedule ${(fingerprint >>> 0).toString(16)}`;
    if (values.seed) say(`${bold(`Seed ${seed}`)} (${profile.name}): ${sum}`);
    if (values.seed) for (const violation of violations) say(red(`  ${violation}`));
  },
});
for (const { kind, seeds } of result.kinds) say(`${seeds.length} seeds, first ${seeds[0]}: ${kind}`);
say(dim(result.summary));
process.exitCode = result.violations ? 1 : 0;
