import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readSecretSettings } from "#services/secret-settings";

const ROOT = join(import.meta.dirname, "../../../..");
const KEY = /parley_live_[\w-]{43}/;

interface Account {
  loggedIn: boolean;
  databases: { name: string; uuid: string; keys: number; migrated?: boolean }[];
  buckets: string[];
  secrets: Record<string, string>;
  deployments: number;
  calls: string[];
  sql?: string;
  away?: string;
}

let folder: string;
const file = () => join(folder, "account.json");
const account = (): Account => JSON.parse(readFileSync(file(), "utf8"));
const change = (part: Partial<Account>) => writeFileSync(file(), JSON.stringify({ ...account(), ...part }));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-deploy-test-"));
  const empty: Account = { loggedIn: true, databases: [], buckets: [], secrets: {}, deployments: 0, calls: [] };
  writeFileSync(file(), JSON.stringify(empty));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs the script against the fake account, with no variables but these. */
async function deploy(args: string[] = [], env: Record<string, string> = {}) {
  const fake = {
    PATH: process.env.PATH,
    PARLEY_WRANGLER: join(ROOT, "test/support/fake-wrangler.mjs"),
    FAKE_ACCOUNT: file(),
  };
  const run = promisify(execFile)(process.execPath, [join(ROOT, "scripts/deploy.ts"), ...args], {
    env: { ...fake, ...env } as unknown as NodeJS.ProcessEnv,
  });
  return run.then(
    ({ stdout }) => ({ code: 0, stdout, stderr: "" }),
    (error) => ({ code: error.code as number, stdout: error.stdout as string, stderr: error.stderr as string }),
  );
}

test("the first deployment creates what is missing, makes the secret, and shows a key that the database then knows", async () => {
  const { stdout, stderr } = await deploy();
  expect(stderr).toBe("");
  expect(stdout).toContain("Parley is deployed at https://parley.example.workers.dev");
  const { databases, buckets, secrets, deployments, sql } = account();
  expect(databases).toMatchObject([{ name: "parley", migrated: true, keys: 1 }]);
  expect(buckets).toEqual(["parley"]);
  expect(secrets.PARLEY_SECRET!.length).toBeGreaterThanOrEqual(32);
  expect(deployments).toBe(1);
  const [key] = KEY.exec(stdout)!;
  expect(sql).toContain(createHash("sha256").update(key).digest("hex"));
  expect(sql).toContain('["runs:read","runs:write","admin"]');
  expect(sql).not.toContain(key);
});

test("a second deployment changes nothing but the code: same database, same secret, no new key", async () => {
  await deploy();
  const before = account();
  change({ calls: [] });
  const { code, stdout } = await deploy();
  expect(code).toBe(0);
  expect(stdout).not.toMatch(KEY);
  expect(account()).toMatchObject({
    databases: before.databases,
    buckets: before.buckets,
    secrets: before.secrets,
    deployments: 2,
  });
  expect(account().calls.filter((call) => /--file|secrets-file/.test(call))).toEqual([]);
});

const commands = () =>
  account().calls.map((call) => (call.startsWith("deploy") ? "deploy" : call.split(" ", 2).join(" ")));

test("migrations run before the code that needs them", async () => {
  await deploy();
  change({ calls: [] });
  await deploy();
  expect(commands()).toEqual(["whoami --json", "secret list", "d1 migrations", "deploy", "d1 execute"]);
});

test("without a Worker, deploying creates database and bucket, then the tables, then the first key", async () => {
  await deploy();
  expect(commands()).toEqual([
    "whoami --json",
    "secret list",
    "d1 execute",
    "deploy",
    "d1 migrations",
    "d1 execute",
    "d1 execute",
    "secret put",
  ]);
});

test("a database in use without a Worker is refused, and kept with --adopt", async () => {
  const databases = [{ name: "parley", uuid: "99999999-2222-3333-4444-555555555555", keys: 3, migrated: true }];
  change({ databases, buckets: ["parley"] });
  const refused = await deploy();
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/parley is in use already.*--env.*--adopt/) });
  expect(account()).toMatchObject({ databases, deployments: 0, secrets: {} });

  const { code, stdout } = await deploy(["--adopt"]);
  expect(code).toBe(0);
  expect(stdout).not.toMatch(KEY);
  expect(account()).toMatchObject({ databases, buckets: ["parley"] });
});

test("nothing is deployed while nobody can say whether the database is in use", async () => {
  const databases = [{ name: "parley", uuid: "99999999-2222-3333-4444-555555555555", keys: 3, migrated: true }];
  change({ databases, away: "d1 execute" });
  expect(await deploy()).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/parley is in use already could not be found out:[^]*API failed/),
  });
  expect(account()).toMatchObject({ databases, deployments: 0, secrets: {} });
});

test("every variable of the Worker in the environment becomes a secret; local ones are named as not sent", async () => {
  const given = {
    OPENAI_API_KEY: "sk-1",
    OPENAI_MODEL: "m",
    PROVIDERS: '{"other":{"base_url":"https://models.example.com/v1","api_key_env":"OTHER_KEY"}}',
    OTHER_KEY: "sk-2",
    PUBLIC_URL: "https://parley.example.com",
    RETENTION_DAYS: "30",
    MAX_CONCURRENT_RUNS: "7",
    TAVILY_API_KEY: "t",
    OTEL_SERVICE_NAME: "mine",
  };
  const { stdout } = await deploy([], {
    ...given,
    ALLOW_PRIVATE_URLS: "true",
    PORT: "1",
    HOME: folder,
    UNRELATED: "x",
  });
  expect(account().secrets).toEqual({ PARLEY_SECRET: expect.any(String), ...given });
  expect(stdout).toContain("Not sent, because they are for a server on this machine only: PORT, ALLOW_PRIVATE_URLS.");
});

test("errors of variables end it before anything is called, one line for each", async () => {
  const { code, stderr } = await deploy([], {
    RETENTION_DAYS: "soon",
    PROVIDERS: '{"a":{},"b":{"base_url":"x"}}',
    LOG_LEVEL: "verbose",
    OPENAI_BASE_URL: "nowhere",
    PUBLIC_URL: "https://parley.example.com/?from=here",
  });
  expect(code).toBe(1);
  const lines = stderr.trim().split("\n");
  const names = lines.map((line) => /^Configuration: ([\w.]+) /.exec(line)?.[1]);
  expect(names.sort()).toEqual([
    "LOG_LEVEL",
    "OPENAI_BASE_URL",
    "PROVIDERS.b.base_url",
    "PUBLIC_URL",
    "RETENTION_DAYS",
  ]);
  expect(account().calls).toEqual([]);
});

test("a variable that is larger than Cloudflare takes ends it before anything is called", async () => {
  const models = Object.fromEntries(
    Array.from({ length: 200 }, (_, n) => [`model-${n}`, { price: { input: 1, output: 2 } }]),
  );
  const PROVIDERS = JSON.stringify({ other: { base_url: "https://models.example.com/v1", models } });
  const { code, stderr } = await deploy([], { PROVIDERS });
  expect(code).toBe(1);
  expect(stderr).toBe(
    `Configuration: PROVIDERS has ${PROVIDERS.length} bytes, and Cloudflare takes at most 5120: shorten it.\n`,
  );
  expect(account().calls).toEqual([]);
});

test("PARLEY_SECRET is rotated there and back, without the old value, which Cloudflare does not show", async () => {
  await deploy();
  const first = account().secrets.PARLEY_SECRET;
  const away = { PARLEY_SECRET_2: "the second secret of a deployment", PARLEY_SECRET_UNTIL: "2030-01-31" };
  expect(await deploy([], away)).toMatchObject({ code: 0, stderr: "" });
  expect(account().secrets).toMatchObject({ PARLEY_SECRET: first, ...away });
  const back = {
    PARLEY_SECRET: "the third secret of a deployment!",
    PARLEY_SECRET_UNTIL: "never",
    PARLEY_SECRET_2_UNTIL: "2030-06-30",
  };
  expect(await deploy([], back)).toMatchObject({ code: 0, stderr: "" });
  const { secrets } = account();
  expect(secrets).toMatchObject({ ...back, PARLEY_SECRET_2: away.PARLEY_SECRET_2 });
  expect(readSecretSettings(secrets).map(({ secret }) => secret)).toEqual([back.PARLEY_SECRET, away.PARLEY_SECRET_2]);

  const { code, stderr } = await deploy([], { ...away, PARLEY_SECRET_2_UNTIL: "2030-01-31" });
  expect([code, stderr]).toEqual([1, expect.stringContaining("exactly one secret in use")]);
});

test("PUBLIC_URL becomes the address of the Worker, once, unless the operator sets it", async () => {
  await deploy();
  expect(account().secrets.PUBLIC_URL).toBe("https://parley.example.workers.dev");
  change({ secrets: { ...account().secrets, PUBLIC_URL: "https://parley.example.com" }, calls: [] });
  await deploy();
  expect(account().secrets.PUBLIC_URL).toBe("https://parley.example.com");
});

test("an environment has a Worker, a database, a bucket and workflows with names of its own", async () => {
  await deploy();
  const { stdout } = await deploy(["--env", "staging"]);
  expect(stdout).toContain("Parley is deployed as parley-staging at https://parley-staging.example.workers.dev");
  expect(account().databases.map(({ name }) => name)).toEqual(["parley", "parley-staging"]);
  expect(account().buckets).toEqual(["parley", "parley-staging"]);
  expect(existsSync(join(ROOT, "wrangler.staging.toml"))).toBe(false);
  expect(await deploy(["--env", "../x"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("cannot name an environment"),
  });
});

test("without a login it changes nothing and names the command to run", async () => {
  change({ loggedIn: false });
  const { code, stderr } = await deploy();
  expect(code).toBe(1);
  expect(stderr).toContain("npx wrangler login");
  expect(account().calls).toEqual(["whoami --json"]);
});

test("a dry run calls nothing, prints every command and no secret", async () => {
  const { code, stdout } = await deploy(["--dry-run"], { OPENAI_API_KEY: "sk-of-mine" });
  expect(code).toBe(0);
  expect(account().calls).toEqual([]);
  for (const command of [
    "whoami",
    "secret list",
    "deploy --secrets-file",
    "d1 migrations apply DB --remote",
    "d1 execute DB --remote",
  ]) {
    expect(stdout).toContain(`wrangler ${command}`);
  }
  expect(stdout).not.toMatch(KEY);
  expect(stdout).not.toContain("sk-of-mine");
});
