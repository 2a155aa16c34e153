import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type Manifest, readManifest } from "./backup/folder.ts";
import { expectEmpty, expectMigrations, firstTenant, restore } from "./backup/restore.ts";
import { localTarget, prepareRemote, remoteTarget } from "./backup/target.ts";
import { databaseBindings } from "./lib/bindings.ts";
import { command, UsageError, work } from "./lib/command.ts";
import { localBindings } from "./lib/database.ts";
import { migrationsOf } from "./lib/migrations.ts";
import { makeLocalKeys, prepareEmptyState } from "./lib/state.ts";
import { dim, say } from "./lib/terminal.ts";
import { ROOT } from "./lib/wrangler.ts";

const ABOUT = {
  name: "restore",
  takes: "<folder>",
  what: "Restores a backup into a new database and bucket, before a server uses them.",
  options: {
    local: {
      type: "boolean",
      help: "into the new folder that PARLEY_STATE names; PARLEY_SECRET is that of the server that the backup was taken of",
    },
    env: {
      type: "string",
      value: "NAME",
      help: "into the deployment of an environment; without both, of Cloudflare. Its database and bucket are created",
    },
  },
  example: "--local backups/monday",
} as const;

const report = (text: string) => say(dim(text));

async function main() {
  const {
    values: { local, env },
    positionals: [folder, ...rest],
  } = command(ABOUT);
  if (!folder || rest.length > 0) throw new UsageError("Name one folder.");
  const parts = await partsOf(folder);
  const ours = migrationsOf(ROOT).map(([name]) => name);
  // Before a database is made: the version that took the backup could not use one with other migrations either.
  for (const { manifest } of parts) expectMigrations(ours, manifest);
  await (local ? restoreLocally(parts) : restoreRemotely(parts, env));
}

/** The backup of one database of several. */
interface Part {
  binding: string;
  folder: string;
  manifest: Manifest;
}

async function partsOf(folder: string): Promise<Part[]> {
  const several = existsSync(folder) ? readdirSync(folder).filter((name) => /^DB(_\d+)?$/.test(name)) : [];
  const parts: [binding: string, path: string][] =
    several.length > 0 ? several.map((name) => [name, join(folder, name)]) : [["DB", folder]];
  return Promise.all(
    parts.map(async ([binding, path]) => {
      const manifest = await readManifest(path);
      say(dim(`${path}: the backup of ${manifest.taken_at}, of Parley ${manifest.version}, is complete.`));
      return { binding, folder: path, manifest };
    }),
  );
}

/** @throws Error when a database of the backup is not bound */
function expectBindings(parts: Part[], bound: string[]) {
  const missing = parts.map(({ binding }) => binding).filter((binding) => !bound.includes(binding));
  if (missing.length > 0)
    throw new Error(`The backup has several databases: bind ${missing.join(", ")} in wrangler.toml first.`);
}

async function restoreLocally(parts: Part[]) {
  const { PARLEY_STATE: state, PARLEY_SECRET: secret } = process.env;
  if (!state) throw new UsageError("Set PARLEY_STATE to a new folder.");
  if (!secret)
    throw new UsageError(
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
  say(`Restored into ${state}. PARLEY_STATE=${state} npm run dev continues with its runs, and sends its webhooks.`);
}

async function restoreRemotely(parts: Part[], env: string | undefined) {
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
  const deploying = `npm run deploy -- --adopt${env ? ` --env ${env}` : ""}`;
  say(
    `Restored. Set PARLEY_SECRET to that of the deployment that the backup was taken of, and PUBLIC_URL to its address, and run ${deploying}; then GET /healthz wakes the maintenance worker, and runs continue.`,
  );
}

await work(ABOUT.name, main);
