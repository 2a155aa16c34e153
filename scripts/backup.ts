import { readFileSync } from "node:fs";
import { join } from "node:path";
import { backUp } from "./backup/backup.ts";
import { releaseWrites } from "./backup/hold.ts";
import { openTargets, type Target, TARGET_OPTIONS } from "./backup/target.ts";
import { withoutMoves } from "./backup/without-moves.ts";
import { command, UsageError, work } from "./lib/command.ts";
import { onStop } from "./lib/stopping.ts";
import { dim, say, yellow } from "./lib/terminal.ts";
import { ROOT } from "./lib/wrangler.ts";

const ABOUT = {
  name: "backup",
  takes: "<folder>",
  what: "Copies the database and the objects of a server or a deployment into a folder.",
  options: {
    ...TARGET_OPTIONS,
    hold: { type: "string", value: "SECONDS", default: "900", help: "the longest time for which writes are held" },
    release: { type: "boolean", help: "ends a hold that a killed backup left; takes no folder" },
  },
  example: "--local backups/monday",
} as const;

async function main() {
  const {
    values,
    positionals: [folder, ...rest],
  } = command(ABOUT);
  const { hold, release } = values;
  if (rest.length > 0 || (folder !== undefined) === release) throw new UsageError("Name one folder.");
  if (!/^[1-9]\d{0,5}$/.test(hold)) throw new UsageError("--hold takes a number of seconds.");
  const targets = openTargets(values);
  const releaseAll = () => Promise.all(targets.map(({ db }) => releaseWrites(db)));
  try {
    if (folder === undefined) {
      await releaseAll();
      return say("No backup holds writes any more.");
    }
    onStop(() => void releaseAll().finally(() => process.exit(1)));
    const writeOne = (target: Target, place: string) => write(target, place, Number(hold) * 1000);
    const [target] = targets;
    if (targets.length === 1 && target) await writeOne(target, folder);
    else await withoutMoves(targets, (one) => writeOne(one, join(folder, one.name)));
  } finally {
    for (const target of targets) target.release();
  }
}

async function write(target: Target, folder: string, hold: number) {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const { tables, objects, invalid } = await backUp({
    ...target,
    folder,
    version,
    hold,
    say: (text) => say(dim(text)),
  });
  const rows = Object.values(tables).reduce((sum, count) => sum + count, 0);
  say(`${folder}: ${rows} rows of ${Object.keys(tables).length} tables, ${objects} objects.`);
  if (invalid.length > 0) {
    say(yellow(`Missing in R2, or not what their rows say: ${invalid.join(", ")}.`));
    process.exitCode = 1;
  }
  say(
    "It holds all that tenants stored, readable; secrets of webhooks, headers of tools and stored answers are sealed under PARLEY_SECRET. Keep that apart from it: without it open callback URLs and sealed secrets are lost.",
  );
}

await work(ABOUT.name, main);
