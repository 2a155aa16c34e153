// npm run restore -- [--local | --env <name>] <folder>: restores a backup into a new database and bucket, before a server uses them.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readManifest } from "./backup/folder.mjs";
import { expectEmpty, expectMigrations, firstTenant, restore } from "./backup/restore.mjs";
import { localTarget, prepareRemote, remoteTarget } from "./backup/target.mjs";
import { makeLocalKeys, prepareEmptyState } from "./lib/state.mjs";
import { dim, say } from "./lib/terminal.mjs";
import { ROOT } from "./lib/wrangler.mjs";

const USAGE = `Usage: npm run restore -- [--local | --env <name>] <folder>

--local: into the new folder that PARLEY_STATE names; PARLEY_SECRET is that of the server that the backup was taken of. Otherwise into the database
and the bucket of the deployment on Cloudflare, or with --env of an environment, which are created.`;

class Misuse extends Error {}

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { local: { type: "boolean", default: false }, env: { type: "string" } },
    });
  } catch (error) {
    throw new Misuse(error.message);
  }
}

const report = (text) => say(dim(text));

async function main() {
  const {
    values: { local, env },
    positionals: [folder, ...rest],
  } = parse();
  if (!folder || rest.length > 0) throw new Misuse("Name one folder.");
  const manifest = await readManifest(folder);
  say(dim(`The backup of ${manifest.taken_at}, of Parley ${manifest.version}, is complete.`));
  // Before a database is made: the version that took the backup could not use one with other migrations either.
  expectMigrations(readdirSync(join(ROOT, "migrations")).sort(), manifest);
  await (local ? restoreLocally(folder, manifest) : restoreRemotely(folder, manifest, env));
}

async function restoreLocally(folder, manifest) {
  const { PARLEY_STATE: state, PARLEY_SECRET: secret } = process.env;
  if (!state) throw new Misuse("Set PARLEY_STATE to a new folder.");
  if (!secret)
    throw new Misuse(
      "Set PARLEY_SECRET to that of the server that the backup was taken of (in its dev.json): without it open callback URLs and sealed secrets are lost.",
    );
  prepareEmptyState(state, secret);
  const target = localTarget(state);
  try {
    const tenant = await firstTenant(folder);
    const last = tenant === null ? "" : makeLocalKeys(state, tenant);
    await restore({ ...target, folder, manifest, say: report, last });
  } finally {
    target.release();
  }
  say(`Restored into ${state}. PARLEY_STATE=${state} npm run dev goes on with its runs, and sends its webhooks.`);
}

async function restoreRemotely(folder, manifest, env) {
  await prepareRemote(env, expectEmpty);
  const target = remoteTarget(env);
  try {
    await restore({ ...target, folder, manifest, say: report });
  } finally {
    target.release();
  }
  const command = `npm run deploy -- --adopt${env ? ` --env ${env}` : ""}`;
  say(
    `Restored. Set PARLEY_SECRET to that of the deployment that the backup was taken of, and PUBLIC_URL to its address, and run ${command}; then GET /healthz wakes the keeper, and runs go on.`,
  );
}

await main().catch((error) => {
  process.stderr.write(`${error.message}\n${error instanceof Misuse ? `\n${USAGE}\n` : ""}`);
  process.exitCode = error instanceof Misuse ? 2 : 1;
});
