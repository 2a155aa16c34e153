import { command, refuse } from "../scripts/lib/command.ts";
import { table } from "../scripts/lib/terminal.ts";
import { MAINTENANCE, LIMITS } from "./scale/limits.ts";
import { monthly, simulate, stored } from "./scale/model.ts";

const option = (usual: number, help: string) => ({ type: "string" as const, value: "N", default: String(usual), help });
const { values } = command({
  name: "scale",
  what: "A model of one deployment under the limits of Cloudflare, printed as the tables of docs/scale.md. Nothing is called.",
  options: {
    parked: option(1e6, "runs that wait for a person"),
    starts: option(1000, "new runs a minute"),
    stay: option(60, "seconds that a run works before its question, and again after the answer"),
    "archive-after": option(1, "hours after which an ended run is archived"),
    retention: option(30, "days for which runs are kept"),
    hours: option(24, "that are simulated"),
    seed: option(1, "of the random numbers"),
  },
  example: "--parked 50000 --starts 100",
});
const numberOf = (flag: keyof typeof values) => {
  const value = Number(values[flag]);
  return value > 0 ? value : refuse("scale", `--${flag} needs a number above 0`);
};
const archive_after_h = numberOf("archive-after");
const retention_days = numberOf("retention");

const load = {
  parked: numberOf("parked"),
  starts_a_minute: numberOf("starts"),
  stay_s: numberOf("stay"),
  hours: numberOf("hours"),
  seed: numberOf("seed"),
};
const CASES = [
  { databases: 1, round_trip_ms: 5, maintenance_interval_s: MAINTENANCE.interval_s },
  { databases: 1, round_trip_ms: 1, maintenance_interval_s: MAINTENANCE.interval_s },
  { databases: 4, round_trip_ms: 5, maintenance_interval_s: MAINTENANCE.interval_s },
  { databases: 32, round_trip_ms: 5, maintenance_interval_s: MAINTENANCE.interval_s },
  { databases: 32, round_trip_ms: 5, maintenance_interval_s: 5 },
];
const number = (value: number, digits = 0) => value.toLocaleString("en", { maximumFractionDigits: digits });

console.log(
  `${number(load.parked)} waiting runs, ${number(load.starts_a_minute)} new ones a minute, ${load.hours} h\n`,
);
const rows = CASES.map((given) => {
  const made = simulate({ ...load, ...given });
  return [
    given.databases,
    given.round_trip_ms,
    given.maintenance_interval_s,
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
      "maintenance s",
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

const kept = stored(load, { archive_after_h, retention_days });
console.log(
  `\nStored, archived after ${archive_after_h} h and kept for ${retention_days} days: ${number(kept.database_gb)} GB of D1, ` +
    `${kept.databases} databases at least; ${number(kept.bucket_gb)} GB of R2.\n`,
);
const costs = Object.entries(monthly(load.starts_a_minute, kept));
const total = costs.reduce((sum, [, { dollars }]) => sum + dollars, 0);
console.log(
  table(
    ["a month", "units", "dollars"],
    [...costs.map(([name, { units, dollars }]) => [name, number(units), number(dollars)]), ["all", "", number(total)]],
  ),
);
