// npm run deploy [-- --dry-run]: deploys Parley to Cloudflare, or updates the deployment. It may be repeated.
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { makeTenant } from "./lib/keys.mjs";
import { providerVariables, settingVariables } from "./lib/variables.mjs";
import { ROOT, tryWrangler, wrangler } from "./lib/wrangler.mjs";

/** The database, by its binding in wrangler.toml. */
const DATABASE = "DB";

const { values } = parseArgs({ options: { "dry-run": { type: "boolean", default: false } } });
const dryRun = values["dry-run"];
const scratch = mkdtempSync(join(tmpdir(), "parley-deploy-"));
const say = (text) => process.stdout.write(`${text}\n`);

/** Runs wrangler; a dry run prints the command and continues with `assumed`, the answer of an empty account. */
async function run(args, assumed = "") {
  if (!dryRun) return wrangler(args);
  say(`  wrangler ${args.map((arg) => (/[\s"'*()]/.test(arg) ? JSON.stringify(arg) : arg)).join(" ")}`);
  return assumed;
}

async function checkLogin() {
  if (dryRun) return void (await run(["whoami", "--json"]));
  if ((await tryWrangler(["whoami", "--json"])).code !== 0) {
    throw new Error(
      "You are not logged in to Cloudflare. Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN (and CLOUDFLARE_ACCOUNT_ID).",
    );
  }
}

/**
 * Names of the secrets that the Worker has.
 * @returns {Promise<string[] | null>} null when there is no Worker yet
 */
async function deployedSecrets() {
  const args = ["secret", "list"];
  if (dryRun) {
    await run(args);
    return null;
  }
  const { code, stdout, stderr } = await tryWrangler(args);
  if (code === 0) return JSON.parse(stdout).map((secret) => secret.name);
  if (/\b10007\b|not found|does not exist/i.test(stdout + stderr)) return null;
  throw new Error(`wrangler ${args.join(" ")} ended with ${code}:\n${stdout}${stderr}`);
}

/**
 * Arguments that send secrets in a file; stored secrets that are not given again stay unchanged.
 * @param {string[]} deployed names of the secrets that are set
 */
function secretsArguments(deployed) {
  const { PARLEY_SECRET, PUBLIC_URL } = settingVariables();
  const given = { ...providerVariables(), ...(PARLEY_SECRET && { PARLEY_SECRET }), ...(PUBLIC_URL && { PUBLIC_URL }) };
  const made =
    given.PARLEY_SECRET || deployed.includes("PARLEY_SECRET")
      ? {}
      : { PARLEY_SECRET: randomBytes(32).toString("base64url") };
  const secrets = { ...made, ...given };
  say(`Secrets to set: ${Object.keys(secrets).join(", ") || "none"}.`);
  const path = join(scratch, "secrets.json");
  writeFileSync(path, JSON.stringify(secrets), { mode: 0o600 });
  return Object.keys(secrets).length ? ["--secrets-file", path] : [];
}

async function migrate() {
  say("Applying migrations …");
  await run(["d1", "migrations", "apply", DATABASE, "--remote"]);
}

/** @returns {Promise<string>} what wrangler printed */
async function buildAndDeploy(secrets) {
  say("Building and deploying …");
  if (dryRun) say("  node scripts/assets.mjs");
  else execFileSync(process.execPath, [join(ROOT, "scripts/assets.mjs")], { stdio: ["ignore", "ignore", "inherit"] });
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

async function main() {
  if (dryRun) say("Dry run: these commands would be run where nothing exists yet.\n");
  await checkLogin();
  const deployed = await deployedSecrets();
  const secrets = secretsArguments(deployed ?? []);
  // New code finds its tables there. The first deployment creates the database, so its tables come after it.
  if (deployed) await migrate();
  const output = await buildAndDeploy(secrets);
  if (!deployed) await migrate();
  const key = await firstKey();
  if (dryRun) return;
  const url = /https:\/\/\S+\.workers\.dev/.exec(output)?.[0];
  say(`\nParley is deployed${url ? ` at ${url}` : ""}.`);
  if (key) say(`\nThe first key, with every scope. It is shown this once:\n\n  ${key}\n`);
  else say("Its database has keys already; an admin key can make more at POST /v1/keys.");
}

await main()
  .catch((error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  })
  .finally(() => rmSync(scratch, { recursive: true, force: true }));
