import { existsSync } from "node:fs";
import { join } from "node:path";
import { localDatabase, remoteDatabase } from "../lib/database.mjs";
import { deployment } from "../lib/deployment.mjs";
import { tryWrangler } from "../lib/wrangler.mjs";
import { bucketOf, folderBucket } from "./bucket.mjs";

/**
 * Database and bucket of a server or a deployment.
 * @typedef {{db: import("../lib/database.mjs").Database, bucket: import("./bucket.mjs").Bucket, release: () => void}} Target
 */

/**
 * Those of the server with this state folder, running or not.
 * @param {string} state
 * @param {string} [binding] of the database
 * @returns {Target}
 */
export function localTarget(state, binding) {
  const db = localDatabase(state, binding);
  if (existsSync(join(state, "parley.sqlite")))
    return { db, bucket: folderBucket(join(state, "bucket")), release: db.release };
  const where = ["--local", "--persist-to", state, "--config", join(state, "migrate/wrangler.json")];
  return { db, bucket: bucketOf("parley", (args) => tryWrangler([...args, ...where])), release: db.release };
}

/**
 * Those of a deployment on Cloudflare.
 * @param {string | undefined} environment as `deployment` takes it
 * @param {string} [binding] of the database
 * @returns {Target}
 */
export function remoteTarget(environment, binding) {
  const db = remoteDatabase(environment, binding);
  const { bucket, tryWrangler: run } = deployment(environment);
  return { db, bucket: bucketOf(bucket, (args) => run([...args, "--remote"])), release: db.release };
}

/**
 * Creates a database and the bucket of a deployment where they are missing, and applies the migrations.
 * @param {string | undefined} environment as `deployment` takes it
 * @param {string} binding of the database
 * @param {(db: import("../lib/database.mjs").Database) => Promise<void>} expectEmpty throws when an existing database is in use
 */
export async function prepareRemote(environment, binding, expectEmpty) {
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
