import { existsSync } from "node:fs";
import { join } from "node:path";
import { databaseBindings } from "../lib/bindings.ts";
import { type Database, localBindings, localDatabase, type Named, remoteDatabase } from "../lib/database.ts";
import { type Bucket, bucketOf, folderBucket } from "./bucket.ts";
import { deployment } from "../lib/deployment.ts";
import { tryWrangler } from "../lib/wrangler.ts";

/** Options that name the server or the deployment. */
export const TARGET_OPTIONS = {
  local: { type: "boolean", help: "the server on this machine (its folder: PARLEY_STATE, or .parley)" },
  env: {
    type: "string",
    value: "NAME",
    help: "the deployment of an environment; without both, the deployment on Cloudflare",
  },
} as const;

/** Database and bucket of a server or a deployment. */
export type Target = { db: Database; bucket: Bucket; release: () => void };

/** Those of each database of the server or the deployment that options name, `DB` first. */
export function openTargets({ local, env }: { local: boolean; env: string | undefined }): (Named & Target)[] {
  const state = process.env.PARLEY_STATE || ".parley";
  const names = local ? localBindings(state) : databaseBindings();
  return names.map((name) => ({ name, ...(local ? localTarget(state, name) : remoteTarget(env, name)) }));
}

/**
 * Those of the server with this state folder, running or not.
 * @param binding of the database
 */
export function localTarget(state: string, binding?: string): Target {
  const db = localDatabase(state, binding);
  if (existsSync(join(state, "parley.sqlite")))
    return { db, bucket: folderBucket(join(state, "bucket")), release: db.release };
  const where = ["--local", "--persist-to", state, "--config", join(state, "migrate/wrangler.json")];
  return { db, bucket: bucketOf("parley", (args) => tryWrangler([...args, ...where])), release: db.release };
}

/**
 * Those of a deployment on Cloudflare.
 * @param environment as `deployment` takes it
 * @param binding of the database
 */
export function remoteTarget(environment: string | undefined, binding?: string): Target {
  const db = remoteDatabase(environment, binding);
  const { bucket, tryWrangler: run } = deployment(environment);
  return { db, bucket: bucketOf(bucket, (args) => run([...args, "--remote"])), release: db.release };
}

/**
 * Creates a database and the bucket of a deployment where they are missing, and applies the migrations.
 * @param environment as `deployment` takes it
 * @param binding of the database
 * @param expectEmpty throws when an existing database is in use
 */
export async function prepareRemote(
  environment: string | undefined,
  binding: string,
  expectEmpty: (db: Database) => Promise<void>,
) {
  const target = deployment(environment);
  const db = remoteDatabase(environment, binding);
  const name = target.databaseNamed(binding);
  try {
    const { code, stderr, stdout } = await target.tryWrangler(["d1", "info", name]);
    if (code === 0) await expectEmpty(db);
    else if (/couldn't find/i.test(stderr + stdout)) await target.wrangler(["d1", "create", name]);
    else throw new Error(`The database ${name} could not be looked up:\n${stdout}${stderr}`);
    const made = await target.tryWrangler(["r2", "bucket", "create", target.bucket]);
    if (made.code !== 0 && !/already exists/i.test(made.stdout + made.stderr))
      throw new Error(`The bucket ${target.bucket} could not be made:\n${made.stdout}${made.stderr}`);
    await target.wrangler(["d1", "migrations", "apply", binding, "--remote"]);
  } finally {
    db.release();
  }
}
