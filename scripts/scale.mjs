// npm run scale: a model of one deployment under the limits of Cloudflare, printed as the tables of docs/scale.md. Nothing is called.
//   npm run --silent scale -- [--parked 1000000] [--starts 1000] [--stay 60] [--archive-after 1] [--retention 30] [--hours 24] [--seed 1]
import { parseArgs } from "node:util";
import { table } from "./lib/terminal.mjs";
import { KEEPER, LIMITS } from "./scale/limits.mjs";
import { monthly, simulate, stored } from "./scale/model.mjs";

const DEFAULTS = { parked: 1e6, starts: 1000, stay: 60, "archive-after": 1, retention: 30, hours: 24, seed: 1 };
const { values } = parseArgs({
  options: Object.fromEntries(Object.keys(DEFAULTS).map((name) => [name, { type: "string" }])),
});
const flags = Object.fromEntries(
  Object.entries(DEFAULTS).map(([name, usual]) => [name, values[name] === undefined ? usual : Number(values[name])]),
);
const wrong = Object.keys(flags).find((name) => !(flags[name] > 0));
if (wrong) {
  console.error(`--${wrong} needs a number above 0.`);
  process.exit(2);
}

const load = {
  parked: flags.parked,
  starts_a_minute: flags.starts,
  stay_s: flags.stay,
  hours: flags.hours,
  seed: flags.seed,
};
const CASES = [
  { databases: 1, round_trip_ms: 5, keeper_interval_s: KEEPER.interval_s },
  { databases: 1, round_trip_ms: 1, keeper_interval_s: KEEPER.interval_s },
  { databases: 4, round_trip_ms: 5, keeper_interval_s: KEEPER.interval_s },
  { databases: 32, round_trip_ms: 5, keeper_interval_s: KEEPER.interval_s },
  { databases: 32, round_trip_ms: 5, keeper_interval_s: 5 },
];
const number = (value, digits = 0) => value.toLocaleString("en", { maximumFractionDigits: digits });

console.log(`${number(flags.parked)} waiting runs, ${number(flags.starts)} new ones a minute, ${flags.hours} h\n`);
const rows = CASES.map((given) => {
  const made = simulate({ ...load, ...given });
  return [
    given.databases,
    given.round_trip_ms,
    given.keeper_interval_s,
    `${number(made.utilisation * 100)} %`,
    made.backlog_s > 60 ? "grows" : `${number(made.wait_p99_s, 2)} s`,
    `${number(made.most_running)} of ${number(LIMITS.running_instances)}`,
    number(made.most_queued),
    number(made.archivable),
    `${number(made.round_of_nudges_h, 1)} h`,
  ].map(String);
});
console.log(
  table(
    [
      "databases",
      "ms a round trip",
      "keeper s",
      "D1 in use",
      "D1 wait p99",
      "running",
      "starts held",
      "not archived",
      "a waiting run is woken each",
    ],
    rows,
  ),
);

const kept = stored({ ...load, archive_after_h: flags["archive-after"], retention_days: flags.retention });
console.log(
  `\nStored, archived after ${flags["archive-after"]} h and kept for ${flags.retention} days: ${number(kept.database_gb)} GB of D1, ` +
    `${kept.databases} databases at least; ${number(kept.bucket_gb)} GB of R2.\n`,
);
const costs = Object.entries(monthly({ ...load, ...kept }));
const total = costs.reduce((sum, [, { dollars }]) => sum + dollars, 0);
console.log(
  table(
    ["a month", "units", "dollars"],
    [...costs.map(([name, { units, dollars }]) => [name, number(units), number(dollars)]), ["all", "", number(total)]],
  ),
);
