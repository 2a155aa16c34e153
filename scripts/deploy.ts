import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { applyMigrations } from "./lib/apply-migrations.ts";
import { databaseBindings } from "./lib/bindings.ts";
import { command, work } from "./lib/command.ts";
import { deployment } from "./lib/deployment.ts";
import { makeTenant } from "./lib/keys.ts";
import { checkSizes, checkVariables, defaultModelWarning, deployedVariables } from "./lib/variables.ts";
import { say } from "./lib/terminal.ts";
import { ROOT } from "./lib/wrangler.ts";

/** The database, by its binding in wrangler.toml. */
const DATABASE = "DB";

const { values } = command({
  name: "deploy",
  what: "Deploys Parley to Cloudflare, or updates the deployment. It may be repeated.",
  options: {
    env: {
      type: "string",
      value: "NAME",
      help: "a second deployment, with a Worker, a database, a bucket and workflows of its own",
    },
    adopt: { type: "boolean", help: "uses a database that is in use although there is no Worker of this name" },
    "dry-run": { type: "boolean", help: "shows the steps only" },
  },
  example: "--env staging --dry-run",
});
const dryRun = values["dry-run"];
const scratch = mkdtempSync(join(tmpdir(), "parley-deploy-"));

/** Runs wrangler; a dry run prints the command and continues with `assumed`, the answer of an empty account. */
async function run(args: string[], assumed = "", input?: string) {
  if (!dryRun) return target.wrangler(args, { input });
  say(`  wrangler ${args.map((arg) => (/[\s"'*()]/.test(arg) ? JSON.stringify(arg) : arg)).join(" ")}`);
  return assumed;
}

async function checkLogin() {
  if (dryRun) return void (await run(["whoami", "--json"]));
  if ((await target.tryWrangler(["whoami", "--json"])).code !== 0) {
    throw new Error(
      "You are not logged in to Cloudflare. Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN (and CLOUDFLARE_ACCOUNT_ID).",
    );
  }
}

/**
 * Names of the secrets that the Worker has.
 * @returns null when there is no Worker yet
 */
async function deployedSecrets(): Promise<string[] | null> {
  const args = ["secret", "list"];
  if (dryRun) {
    await run(args);
    return null;
  }
  const { code, stdout, stderr } = await target.tryWrangler(args);
  if (code === 0) return JSON.parse(stdout).map((secret: { name: string }) => secret.name);
  if (/\b10007\b|not found|does not exist/i.test(stdout + stderr)) return null;
  throw new Error(`wrangler ${args.join(" ")} ended with ${code}:\n${stdout}${stderr}`);
}

/**
 * A database with tables belongs to somebody: without a Worker of this name it is used only with --adopt.
 * @throws Error that says so
 */
async function refuseForeignDatabase() {
  const tables = "SELECT COUNT(*) AS tables FROM sqlite_master WHERE name IN ('keys', 'runs', 'd1_migrations')";
  const args = ["d1", "execute", DATABASE, "--remote", "--json", "--command", tables];
  if (dryRun) return void (await run(args));
  const { code, stdout, stderr } = await target.tryWrangler(args);
  if (code !== 0) {
    if (/couldn't find a D1 DB/i.test(stdout + stderr)) return; // there is no such database yet
    throw new Error(
      `Whether a database named ${target.database} is in use already could not be found out:\n${stdout}${stderr}`,
    );
  }
  if (JSON.parse(stdout)[0].results[0].tables === 0) return;
  throw new Error(
    `A database named ${target.database} is in use already, but there is no Worker ${target.name}. Choose other names with --env <name>, or use that database with --adopt.`,
  );
}

/**
 * Arguments that send the variables as secrets in a file; stored ones that are not given again stay unchanged.
 * @param deployed names of the secrets that are set
 */
function secretsArguments(variables: Record<string, string>, deployed: string[]) {
  const made =
    variables.PARLEY_SECRET || deployed.includes("PARLEY_SECRET")
      ? {}
      : { PARLEY_SECRET: randomBytes(32).toString("base64url") };
  const secrets = { ...made, ...variables };
  say(`Variables to set, as secrets: ${Object.keys(secrets).join(", ") || "none"}.`);
  const path = join(scratch, "secrets.json");
  writeFileSync(path, JSON.stringify(secrets), { mode: 0o600 });
  return Object.keys(secrets).length ? ["--secrets-file", path] : [];
}

async function migrate() {
  say("Applying migrations …");
  await applyMigrations({
    bindings: databaseBindings(),
    nameOf: (binding) => target.databaseNamed(binding),
    run,
    exists: async (name) => !dryRun && (await target.tryWrangler(["d1", "info", name])).code === 0,
  });
}

/** @returns what wrangler printed */
async function buildAndDeploy(secrets: string[]): Promise<string> {
  say("Building and deploying …");
  if (dryRun) say("  node scripts/assets.ts");
  else execFileSync(process.execPath, [join(ROOT, "scripts/assets.ts")], { stdio: ["ignore", "ignore", "inherit"] });
  return run(["deploy", ...secrets]);
}

/** The first admin key, shown once; null when the database has a key already. */
async function firstKey() {
  const d1 = ["d1", "execute", DATABASE, "--remote"];
  const [answer] = JSON.parse(
    await run([...d1, "--json", "--command", "SELECT COUNT(*) AS keys FROM keys"], '[{"results":[{"keys":0}]}]'),
  );
  if (answer.results[0].keys > 0) return null;
  const { keys, sql } = makeTenant("first", [{ name: "first admin key", mode: "live" }]);
  const path = join(scratch, "first-key.sql");
  writeFileSync(path, sql, { mode: 0o600 });
  await run([...d1, "--yes", "--file", path]);
  return keys[0];
}

/**
 * Sets PUBLIC_URL to the address of the Worker. Without PUBLIC_URL the Host header of a request decides the callback URLs of its run.
 * @param url undefined when wrangler printed none: the Worker has only routes of the operator's own
 */
async function setPublicUrl(url: string | undefined) {
  if (!url)
    throw new Error(
      "PUBLIC_URL is not set, and wrangler named no workers.dev address. Set PUBLIC_URL to the URL under which clients reach Parley, and deploy again.",
    );
  await run(["secret", "put", "PUBLIC_URL"], "", url);
  if (!dryRun) say(`PUBLIC_URL is set to ${url}. Set it yourself to use another address.`);
}

async function main() {
  const { variables, local } = deployedVariables();
  checkVariables(variables);
  checkSizes(variables);
  if (local.length > 0) say(`Not sent, because they are for a server on this machine only: ${local.join(", ")}.`);
  const warning = dryRun ? null : await defaultModelWarning(variables);
  if (warning) say(`${warning}\n`);
  if (dryRun) say("Dry run: these commands would be run where nothing exists yet.\n");
  await checkLogin();
  const deployed = await deployedSecrets();
  if (!deployed && !values.adopt) await refuseForeignDatabase();
  const secrets = secretsArguments(variables, deployed ?? []);
  // New code finds its tables there. The first deployment creates the database, so its tables come after it.
  if (deployed) await migrate();
  const output = await buildAndDeploy(secrets);
  if (!deployed) await migrate();
  const key = await firstKey();
  const url = dryRun ? "https://…" : /https:\/\/\S+\.workers\.dev/.exec(output)?.[0];
  if (!dryRun) {
    say(`\nParley is deployed${values.env ? ` as ${target.name}` : ""}${url ? ` at ${url}` : ""}.`);
    if (key) say(`\nThe first key, with every scope. It is shown this once:\n\n  ${key}\n`);
    else say("Its database has keys already; an admin key can make more at POST /v1/keys.");
  }
  if (!variables.PUBLIC_URL && !deployed?.includes("PUBLIC_URL")) await setPublicUrl(url);
}

const target = deployment(values.env);
await work("deploy", main).finally(() => {
  target.release();
  rmSync(scratch, { recursive: true, force: true });
});
