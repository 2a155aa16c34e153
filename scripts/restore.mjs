// npm run restore -- [--local | --env <name>] <folder>: restores a backup into a new database and bucket, before a server uses them.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readManifest } from "./backup/folder.mjs";
import { expectEmpty, expectMigrations, firstTenant, restore } from "./backup/restore.mjs";
import { localTarget, prepareRemote, remoteTarget } from "./backup/target.mjs";
import { databaseBindings } from "./lib/bindings.mjs";
import { localBindings } from "./lib/database.mjs";
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
  const parts = await partsOf(folder);
  // Before a database is made: the version that took the backup could not use one with other migrations either.
  for (const { manifest } of parts) expectMigrations(readdirSync(join(ROOT, "migrations")).sort(), manifest);
  await (local ? restoreLocally(parts) : restoreRemotely(parts, env));
}

/**
 * The backup of one database of several.
 * @typedef {{binding: string, folder: string, manifest: import("./backup/folder.mjs").Manifest}} Part
 */

/** @returns {Promise<Part[]>} */
async function partsOf(folder) {
  const several = existsSync(folder) ? readdirSync(folder).filter((name) => /^DB(_\d+)?$/.test(name)) : [];
  const parts = several.length > 0 ? several.map((name) => [name, join(folder, name)]) : [["DB", folder]];
  return Promise.all(
    parts.map(async ([binding, path]) => {
      const manifest = await readManifest(path);
      say(dim(`${path}: the backup of ${manifest.taken_at}, of Parley ${manifest.version}, is complete.`));
      return { binding, folder: path, manifest };
    }),
  );
}

/** @throws Error when a database of the backup is not bound */
function expectBindings(parts, bound) {
  const missing = parts.map(({ binding }) => binding).filter((binding) => !bound.includes(binding));
  if (missing.length > 0)
    throw new Error(`The backup has several databases: bind ${missing.join(", ")} in wrangler.toml first.`);
}

/** @param {Part[]} parts */
async function restoreLocally(parts) {
  const { PARLEY_STATE: state, PARLEY_SECRET: secret } = process.env;
  if (!state) throw new Misuse("Set PARLEY_STATE to a new folder.");
  if (!secret)
    throw new Misuse(
      "Set PARLEY_SECRET to that of the server that the backup was taken of (in its dev.json): without it open callback URLs and sealed secrets are lost.",
    );
  const bound = localBindings(state);
  expectBindings(parts, bound);
  prepareEmptyState(state, secret, bound);
  for (const { binding, folder, manifest } of parts) {
    const tenant = binding === "DB" ? await firstTenant(folder) : null;
    const last = tenant === null ? "" : makeLocalKeys(state, tenant);
    const target = localTarget(state, binding);
    try {
      await restore({ ...target, folder, manifest, say: report, last });
    } finally {
      target.release();
    }
  }
  say(`Restored into ${state}. PARLEY_STATE=${state} npm run dev goes on with its runs, and sends its webhooks.`);
}

/** @param {Part[]} parts */
async function restoreRemotely(parts, env) {
  expectBindings(parts, databaseBindings());
  for (const { binding } of parts) await prepareRemote(env, binding, expectEmpty);
  for (const { binding, folder, manifest } of parts) {
    const target = remoteTarget(env, binding);
    try {
      await restore({ ...target, folder, manifest, say: report });
    } finally {
      target.release();
    }
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
