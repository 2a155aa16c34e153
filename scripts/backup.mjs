// npm run backup -- [--local | --env <name>] <folder>: copies the database and the objects of a server or a deployment into a folder.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { backUp } from "./backup/backup.mjs";
import { releaseWrites } from "./backup/hold.mjs";
import { localTarget, remoteTarget } from "./backup/target.mjs";
import { withoutMoves } from "./backup/without-moves.mjs";
import { databaseBindings } from "./lib/bindings.mjs";
import { localBindings } from "./lib/database.mjs";
import { onStop } from "./lib/stopping.mjs";
import { dim, say, yellow } from "./lib/terminal.mjs";
import { ROOT } from "./lib/wrangler.mjs";

const USAGE = `Usage: npm run backup -- [--local | --env <name>] [--hold <seconds>] <folder>
       npm run backup -- [--local | --env <name>] --release

--local: the server on this machine (its folder: PARLEY_STATE, or .parley). Otherwise the deployment on Cloudflare, or with --env the one of
an environment. --hold: the longest time for which writes are held (900). --release: ends a hold that a killed backup left.`;

class Misuse extends Error {}

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        local: { type: "boolean", default: false },
        env: { type: "string" },
        hold: { type: "string", default: "900" },
        release: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    throw new Misuse(error.message);
  }
}

async function main() {
  const {
    values: { local, env, hold, release },
    positionals: [folder, ...rest],
  } = parse();
  if (rest.length > 0 || Boolean(folder) === release) throw new Misuse("Name one folder.");
  if (!/^[1-9]\d{0,5}$/.test(hold)) throw new Misuse("--hold takes a number of seconds.");
  const state = process.env.PARLEY_STATE || ".parley";
  const targets = (local ? localBindings(state) : databaseBindings()).map((name) => ({
    name,
    ...(local ? localTarget(state, name) : remoteTarget(env, name)),
  }));
  const releaseAll = () => Promise.all(targets.map(({ db }) => releaseWrites(db)));
  try {
    if (release) {
      await releaseAll();
      return say("No backup holds writes any more.");
    }
    onStop(() => void releaseAll().finally(() => process.exit(1)));
    const writeOne = (target, place) => write(target, place, Number(hold) * 1000);
    if (targets.length === 1) await writeOne(targets[0], folder);
    else await withoutMoves(targets, (target) => writeOne(target, join(folder, target.name)));
  } finally {
    for (const target of targets) target.release();
  }
}

async function write(target, folder, hold) {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const { tables, objects, faulty } = await backUp({ ...target, folder, version, hold, say: (text) => say(dim(text)) });
  const rows = Object.values(tables).reduce((sum, count) => sum + count, 0);
  say(`${folder}: ${rows} rows of ${Object.keys(tables).length} tables, ${objects} objects.`);
  if (faulty.length > 0) {
    say(yellow(`Missing in R2, or not what their rows say: ${faulty.join(", ")}.`));
    process.exitCode = 1;
  }
  say(
    "It holds all that tenants stored, readable; secrets of webhooks, headers of tools and stored answers are sealed under PARLEY_SECRET. Keep that apart from it: without it open callback URLs and sealed secrets are lost.",
  );
}

await main().catch((error) => {
  process.stderr.write(`${error.message}\n${error instanceof Misuse ? `\n${USAGE}\n` : ""}`);
  process.exitCode = error instanceof Misuse ? 2 : 1;
});
