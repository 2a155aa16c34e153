// A fake wrangler for tests of scripts/deploy.mjs, with a JSON file as the Cloudflare account (FAKE_ACCOUNT).
// It records every call, responds in wrangler's formats, and refuses unknown commands.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

const file = process.env.FAKE_ACCOUNT;
const account = JSON.parse(readFileSync(file, "utf8"));
const args = process.argv.slice(2);
const option = (name) => args[args.indexOf(name) + 1];

const fail = (message) => {
  process.stderr.write(`✘ [ERROR] ${message}\n`);
  process.exitCode = 1;
};

/** The database of the given config, whose paths must exist. */
function configured() {
  const config = option("--config");
  const text = readFileSync(config, "utf8");
  for (const name of ["main", "migrations_dir"]) {
    const path = resolve(dirname(config), new RegExp(`^${name} = "(.*)"$`, "m").exec(text)[1]);
    if (!existsSync(path)) throw new Error(`${name} leads to ${path}, which is not there`);
  }
  const id = /^database_id = "(.*)"$/m.exec(text)[1];
  const database = account.databases.find(({ uuid }) => uuid === id);
  if (!database) throw new Error(`there is no database ${id}`);
  return database;
}

const commands = {
  "whoami --json": () => {
    if (!account.loggedIn) process.exitCode = 1;
    return JSON.stringify({ loggedIn: account.loggedIn });
  },
  "d1 list": () => JSON.stringify(account.databases.map(({ name, uuid }) => ({ uuid, name, version: "production" }))),
  "d1 create": () => {
    account.databases.push({ name: args[2], uuid: "11111111-2222-3333-4444-555555555555", migrated: false, keys: 0 });
    return `✅ Successfully created DB '${args[2]}'`;
  },
  "d1 migrations": () => {
    configured().migrated = true;
    return "✅ No migrations to apply!";
  },
  "d1 execute": () => {
    const database = configured();
    if (!database.migrated) return fail("no such table: keys");
    if (args.includes("--command")) return JSON.stringify([{ results: [{ keys: database.keys }], success: true }]);
    account.sql = readFileSync(option("--file"), "utf8");
    database.keys += account.sql.match(/INTO keys/g).length;
    return "🌀 Executed";
  },
  "r2 bucket": () => {
    if (args[2] === "list")
      return account.buckets
        .map((name) => `name:           ${name}\ncreation_date:  2026-11-21T00:00:00.000Z\n`)
        .join("\n");
    account.buckets.push(args[3]);
    return `✅ Created bucket '${args[3]}'`;
  },
  "secret list": () =>
    account.deployments
      ? JSON.stringify(Object.keys(account.secrets).map((name) => ({ name, type: "secret_text" })))
      : fail('Worker "parley" not found. [code: 10007]'),
  "deploy --config": () => {
    configured();
    if (args.includes("--secrets-file"))
      Object.assign(account.secrets, JSON.parse(readFileSync(option("--secrets-file"), "utf8")));
    account.deployments++;
    return "Uploaded parley (3.1 sec)\nDeployed parley triggers (0.4 sec)\n  https://parley.example.workers.dev";
  },
};

account.calls.push(args.join(" "));
const command = commands[args.slice(0, 2).join(" ")];
try {
  if (command) process.stdout.write(`${command() ?? ""}\n`);
  else fail(`Unknown command: ${args.join(" ")}`);
} catch (error) {
  fail(error.message);
}
writeFileSync(file, JSON.stringify(account));
