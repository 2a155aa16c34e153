// A stand-in for wrangler, with a folder as the Cloudflare account (FAKE_ACCOUNT): a SQLite file for each database, a folder for each bucket.
// It knows the commands of backup and restore on a deployment, and refuses others.
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const account = process.env.FAKE_ACCOUNT;
const args = process.argv.slice(2);
const option = (name) => args[args.indexOf(name) + 1];
const config = readFileSync(args.includes("--config") ? option("--config") : "wrangler.toml", "utf8");
const configured = (name) => new RegExp(`^${name} = "(.*)"$`, "m").exec(config)?.[1];

const databaseFile = (name) => join(account, `${name}.sqlite`);
const objectFile = (bucket, key) => join(account, bucket, encodeURIComponent(key));

function open(name) {
  if (!existsSync(databaseFile(name))) throw new Error(`Couldn't find a D1 DB with name or binding '${name}'`);
  const db = new DatabaseSync(databaseFile(name));
  db.exec("PRAGMA synchronous = OFF");
  return db;
}

/** The database of the binding DB of the deployment. */
function bound(binding) {
  if (binding !== "DB" || !args.includes("--remote")) throw new Error(`no database ${binding} of a deployment`);
  return open(configured("database_name"));
}

function inBucket(name) {
  if (!args.includes("--remote") || !existsSync(join(account, name)))
    throw new Error(`no bucket ${name} of a deployment`);
}

const commands = {
  "d1 info": () => void open(args[2]).close(),
  "d1 create": () => void new DatabaseSync(databaseFile(args[2])).close(),
  "d1 migrations"() {
    const db = bound(args[3]);
    db.exec("CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE)");
    for (const path of globSync("migrations/*.sql").sort()) {
      db.exec(readFileSync(path, "utf8"));
      db.prepare("INSERT INTO d1_migrations (name) VALUES (?)").run(path.slice("migrations/".length));
    }
  },
  "d1 execute"() {
    const db = bound(args[2]);
    if (args.includes("--file")) return void db.exec(readFileSync(option("--file"), "utf8"));
    const statements = option("--command").split(";\n");
    return JSON.stringify(statements.map((sql) => ({ results: db.prepare(sql).all(), success: true })));
  },
  "r2 bucket"() {
    if (existsSync(join(account, args[3])))
      throw new Error("The bucket you tried to create already exists, and you own it.");
    mkdirSync(join(account, args[3]));
  },
  "r2 object"() {
    const [, bucket, key] = /^([^/]+)\/(.+)$/.exec(args[3]);
    inBucket(bucket);
    if (!existsSync(objectFile(bucket, key))) throw new Error("The specified key does not exist.");
    copyFileSync(objectFile(bucket, key), option("--file"));
  },
  "r2 bulk"() {
    inBucket(args[3]);
    for (const { key, file } of JSON.parse(readFileSync(option("--filename"), "utf8")))
      copyFileSync(file, objectFile(args[3], key));
  },
};

try {
  process.stdout.write(commands[args.slice(0, 2).join(" ")]() ?? "");
} catch (error) {
  process.stderr.write(`✘ [ERROR] ${error.message}\n`);
  process.exitCode = 1;
}
