import { runSeeds } from "./simulate/run-seeds.ts";
import { SABOTAGES } from "./simulate/sabotages.ts";
import { command, refuse } from "../scripts/lib/command.ts";
import { bold, dim, red, say } from "../scripts/lib/terminal.ts";

const { values } = command({
  name: "simulate",
  what: `Runs the whole Worker in simulated worlds, each made of a seed, and checks every promise. Exit code 1: a promise was broken.
It prints each kind of broken promise with the first seed that shows it.`,
  options: {
    seeds: { type: "string", value: "N", default: "100", help: "how many worlds" },
    from: { type: "string", value: "N", default: "1", help: "the first seed" },
    seed: {
      type: "string",
      value: "N",
      help: "replays one world, and writes its schedule to dist/simulate/seed-N.txt",
    },
    runs: { type: "string", value: "N", default: "8", help: "of each world" },
    processes: { type: "string", value: "N", default: "2", help: "that simulate at the same time" },
    profile: {
      type: "string",
      value: "JSON",
      default: "{}",
      help: "fixes properties of the worlds (lab/simulate/fates.ts)",
    },
    sabotage: {
      type: "string",
      value: "NAME",
      multiple: true,
      help: "takes a fix out of the source first; stops at the first world that shows it. May be repeated",
    },
  },
  more: `Sabotages: ${Object.keys(SABOTAGES).join(", ")}`,
  example: "--seeds 500 --profile '{\"faults\":0.05}'",
});
const sabotages = values.sabotage ?? [];
for (const name of sabotages) if (!SABOTAGES[name]) refuse("simulate", `There is no sabotage ${name}.`);
const anyOf = (signs: (RegExp | undefined)[]) => new RegExp(signs.map((sign) => sign?.source).join("|"));

const count = values.seed ? 1 : Number(values.seeds);
const from = Number(values.seed ?? values.from);
const result = await runSeeds({
  seeds: Array.from({ length: count }, (_, at) => from + at),
  runs: Number(values.runs),
  processes: Number(values.processes),
  sabotages,
  overrides: JSON.parse(values.profile),
  traced: values.seed !== undefined,
  stopAt: sabotages.length ? anyOf(sabotages.map((name) => SABOTAGES[name]?.sign)) : null,
  onResult: ({ seed, violations, profile, runs, completed, removed, events, real_ms, fingerprint }) => {
    const sum = `${completed} of ${runs} runs completed, ${removed} were removed, ${events} events, ${real_ms.toFixed(0)} ms, schedule ${(fingerprint >>> 0).toString(16)}`;
    if (values.seed) say(`${bold(`Seed ${seed}`)} (${profile.name}): ${sum}`);
    if (values.seed) for (const violation of violations) say(red(`  ${violation}`));
  },
});
for (const { kind, seeds } of result.kinds) say(`${seeds.length} seeds, first ${seeds[0]}: ${kind}`);
say(dim(result.summary));
process.exitCode = result.violations ? 1 : 0;
