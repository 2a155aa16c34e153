// A fake wrangler for tests of scripts/deploy.ts, with a JSON file as the Cloudflare account (FAKE_ACCOUNT).
// It records every call, responds in wrangler's formats, and refuses unknown commands.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

const file = process.env.FAKE_ACCOUNT;
const account = JSON.parse(readFileSync(file, "utf8"));
const args = process.argv.slice(2);
const option = (name) => args[args.indexOf(name) + 1];

const fail = (message) => {
  process.stderr.write(`✘ [ERROR] ${message}\n`);
  process.exitCode = 1;
};

const config = readFileSync(args.includes("--config") ? option("--config") : "wrangler.toml", "utf8");
const configured = (name) => new RegExp(`^${name} = "(.*)"$`, "m").exec(config)?.[1];

/** Every path of the config must lead somewhere from where wrangler runs. */
function checkPaths() {
  for (const path of [configured("main"), configured("directory"), "migrations"])
    if (!existsSync(resolve(path))) throw new Error(`there is no ${path}`);
}

const databaseNamed = (name) => account.databases.find((database) => database.name === name);

/** The database of the binding, as d1 commands find it: by the name that the config gives it. */
function boundDatabase() {
  if (!args.includes("--remote")) throw new Error("a deployment has no local database");
  const binding = args[1] === "migrations" ? args[3] : args[2];
  if (binding !== configured("binding")) throw new Error(`there is no binding ${binding}`);
  const name = configured("database_name");
  const found = databaseNamed(name);
  if (!found)
    throw new Error(
      `Couldn't find a D1 DB named '${name}' (bound as '${binding}') in the API. Run 'wrangler d1 create ${name}' to create it.`,
    );
  return found;
}

/** What a deployment does where a binding has a name but no id: it connects to what is there, or creates it. */
function provision() {
  if (configured("database_id") !== undefined) throw new Error("a database_id is taken as it is, and is no one's here");
  const name = configured("database_name");
  if (!databaseNamed(name))
    account.databases.push({ name, uuid: "11111111-2222-3333-4444-555555555555", migrated: false, keys: 0 });
  const bucket = configured("bucket_name");
  if (!account.buckets.includes(bucket)) account.buckets.push(bucket);
}

/** A command that the account does not answer, by its first two words. */
const isAway = () => account.away === args.slice(0, 2).join(" ");

const commands = {
  "whoami --json": () => {
    if (!account.loggedIn) process.exitCode = 1;
    return JSON.stringify({ loggedIn: account.loggedIn });
  },
  "d1 migrations": () => {
    boundDatabase().migrated = true;
    return "✅ No migrations to apply!";
  },
  "d1 execute": () => {
    const bound = boundDatabase();
    const result = (row) => JSON.stringify([{ results: [row], success: true }]);
    if (args.includes("--command") && option("--command").includes("sqlite_master"))
      return result({ tables: bound.migrated ? 3 : 0 });
    if (!bound.migrated) return fail("no such table: keys");
    if (args.includes("--command")) return result({ keys: bound.keys });
    account.sql = readFileSync(option("--file"), "utf8");
    bound.keys += account.sql.match(/INTO keys/g).length;
    return "🌀 Executed";
  },
  "secret list": () =>
    account.workers?.includes(configured("name"))
      ? JSON.stringify(Object.keys(account.secrets).map((name) => ({ name, type: "secret_text" })))
      : fail("Worker not found. [code: 10007]"),
  "secret put": () => {
    account.secrets[args[2]] = readFileSync(0, "utf8").trim();
    return "✨ Success! Uploaded secret";
  },
  deploy: () => {
    checkPaths();
    provision();
    if (args.includes("--secrets-file"))
      Object.assign(account.secrets, JSON.parse(readFileSync(option("--secrets-file"), "utf8")));
    account.deployments++;
    const name = configured("name");
    account.workers = [...new Set([...(account.workers ?? []), name])];
    return `Uploaded ${name} (3.1 sec)\nDeployed ${name} triggers (0.4 sec)\n  https://${name}.example.workers.dev`;
  },
};

account.calls.push(args.join(" "));
const command = commands[args[0] === "deploy" ? "deploy" : args.slice(0, 2).join(" ")];
try {
  if (isAway()) fail("A request to the Cloudflare API failed. fetch failed");
  else if (command) process.stdout.write(`${command() ?? ""}\n`);
  else fail(`Unknown command: ${args.join(" ")}`);
} catch (error) {
  fail(error.message);
}
writeFileSync(file, JSON.stringify(account));
