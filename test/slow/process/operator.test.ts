/** The operator's command, on the database of a running server. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer } from "../../../scripts/lib/server.ts";

const state = mkdtempSync(join(tmpdir(), "parley-operator-test-"));
let server: Awaited<ReturnType<typeof startServer>>;
beforeAll(async () => {
  server = await startServer({ state });
}, 120_000);
afterAll(async () => {
  await server.stop();
  rmSync(state, { recursive: true });
});

const operator = (...args: string[]) => operatorOn(state, ...args);

async function operatorOn(folder: string, ...args: string[]) {
  const run = promisify(execFile)(process.execPath, ["scripts/operator.ts", "--local", ...args], {
    env: { ...process.env, PARLEY_STATE: folder },
  });
  return run.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error) => ({ code: error.code as number, stdout: error.stdout as string, stderr: error.stderr as string }),
  );
}

const get = async (path: string, key: string): Promise<any> =>
  (await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${key}` } })).json();
const statusOf = async (path: string, key: string) =>
  (await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${key}` } })).status;

test("the operator makes a tenant, recovers access with a new key, and ends a key, while the server runs", async () => {
  const { stdout: made } = await operator("add-tenant", "Ann's shop");
  const [tenant] = /ten_\w+/.exec(made)!;
  const [first] = /parley_live_\S+/.exec(made)!;
  expect(await statusOf("/v1/keys", first)).toBe(200);

  const { stdout: added } = await operator("add-key", tenant, "--mode", "test", "--scopes", "runs:read");
  const [second] = /parley_test_\S+/.exec(added)!;
  expect(await statusOf("/v1/runs", second)).toBe(200);
  expect(await statusOf("/v1/keys", second)).toBe(403);

  const { stdout: keys } = await operator("keys", tenant);
  const [key] = /key_\w+/.exec(keys.split("\n").find((line) => line.includes(first.slice(-4)))!)!;
  await operator("revoke-key", key);
  expect(await statusOf("/v1/keys", first)).toBe(401);

  const bounds = ["--expires", "2101-01-01", "--workflows", "debate", "--mode", "test"];
  const { stdout: bound } = await operator("add-key", tenant, ...bounds);
  expect(bound).toContain("runs:read, runs:write");
  expect((await operator("keys", tenant)).stdout).toMatch(/runs:read,runs:write +debate .* 2101-01-01 00:00/);
  const third = /parley_live_\S+/.exec((await operator("add-key", tenant)).stdout)![0];
  const { data } = await get("/v1/audit?limit=100", third);
  expect(data.map(({ actor, action, mode }: Record<string, string>) => [actor, action, mode])).toEqual([
    ["operator", "createKey", "live"],
    ["operator", "revokeKey", "live"],
    ["operator", "createKey", "live"],
    ["operator", "createTenant", "live"],
  ]);

  await operator("set-quota", tenant, "max_concurrent_runs=3");
  expect((await operator("tenants")).stdout).toMatch(new RegExp(`${tenant} +Ann's shop .* max_concurrent_runs=3`));
  await operator("set-quota", tenant, "max_concurrent_runs=default");
  expect((await operator("tenants")).stdout).not.toContain("max_concurrent_runs");

  const corpora = async () =>
    (
      await fetch(`${server.url}/v1/corpora`, {
        method: "POST",
        headers: { authorization: `Bearer ${admin}`, "content-type": "application/json" },
        body: JSON.stringify({ name: "Statutes" }),
      })
    ).status;
  const [admin] = /parley_live_\S+/.exec((await operator("add-key", tenant)).stdout)!;
  await operator("set-quota", tenant, "corpora=1");
  expect([await corpora(), await corpora()]).toEqual([201, 429]);
  expect((await operator("quotas", tenant)).stdout).toMatch(/corpora +1 +1 +operator\n/);
  expect((await operator("tenants")).stdout).toContain("corpora=1");
  await operator("set-quota", tenant, "corpora=default");
  expect(await corpora()).toBe(201);
  expect((await operator("recount", tenant)).stdout).toBe("None.\n");
}, 300_000);

test("a key that has expired does not count as a key of its tenant", async () => {
  const tenant = /ten_\w+/.exec((await operator("add-tenant", "Brief")).stdout)![0];
  const expires = new Date(Date.now() + 8000).toISOString();
  expect((await operator("add-key", tenant, "--expires", expires)).code).toBe(0);
  const counted = async () =>
    /(\d+) +0 *$/.exec((await operator("tenants")).stdout.split("\n").find((line) => line.startsWith(tenant))!)?.[1];
  await expect.poll(counted, { timeout: 60_000, interval: 1000 }).toBe("1");
}, 120_000);

test("the status shows the last maintenance pass: when, how late, and what it left", async () => {
  const tenant = /ten_\w+/.exec((await operator("add-tenant", "Busy")).stdout)![0];
  const key = /parley_test_\S+/.exec((await operator("add-key", tenant, "--mode", "test")).stdout)![0];
  const started = await fetch(`${server.url}/v1/runs`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      workflow: "requirements",
      input: { idea: "A library that lends tools to neighbours" },
      options: { human_stakeholder: true },
    }),
  });
  expect(started.status).toBe(201);
  await expect
    .poll(async () => (await operator("status")).stdout, { timeout: 60_000, interval: 1000 })
    .toMatch(
      /The last maintenance pass\n\n?.*ended +seconds late +left +failed +next\s[^]*\d{4}-\d\d-\d\d \d\d:\d\d +\d+\.\d +[^\n]*runs/,
    );
}, 120_000);

test("the operator renames a tenant, sets its budget, reads its limits as numbers, and deletes it by its name", async () => {
  const made = (await operator("add-tenant", "Old name")).stdout;
  const [tenant] = /ten_\w+/.exec(made)!;
  const [key] = /parley_live_\S+/.exec(made)!;
  expect((await operator("rename-tenant", tenant, "Carpenters")).stdout).toBe(
    `Old name is now called Carpenters (${tenant}).\n`,
  );
  expect((await get("/v1/tenant", key)).name).toBe("Carpenters");

  await operator("set-budget", "Carpenters", "12.5", "--at-limit", "refuse");
  expect(await get("/v1/budget", key)).toMatchObject({ amount_usd: 12.5, at_limit: "refuse", spent_usd: 0 });
  expect((await operator("budgets")).stdout).toMatch(new RegExp(`${tenant} +Carpenters +12.5 +0.00 +0 +refuse +0\\n`));
  await operator("set-budget", tenant, "none");
  expect((await get("/v1/budget", key)).amount_usd).toBeNull();
  expect(await operator("set-budget", tenant, "much")).toMatchObject({ code: 2 });

  await operator("set-quota", "Carpenters", "corpora=7");
  const { stdout } = await operator("quotas", "Carpenters");
  expect(stdout).toContain(`Carpenters (${tenant})`);
  expect(stdout).toMatch(/max_concurrent_runs +0 +100 +default\n/);
  expect(stdout).toMatch(/corpora +0 +7 +operator\n/);
  expect(stdout).toMatch(/templates +0 +200 +default\n/);

  await operator("add-tenant", "Twins");
  await operator("add-tenant", "Twins");
  expect((await operator("keys", "Twins")).stderr).toMatch(
    /^2 tenants have the name Twins: use an id, ten_\w+ or ten_\w+\.\n/,
  );

  expect((await operator("delete-tenant", "Carpenters")).stderr).toContain(`Confirm it with --confirm ${tenant}`);
  expect(await statusOf("/v1/tenant", key)).toBe(200);
  await operator("delete-tenant", "Carpenters", "--confirm", tenant);
  expect(await statusOf("/v1/tenant", key)).toBe(401);
  await fetch(`${server.url}/v1/runs`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.test_key}`, "content-type": "application/json" },
    body: JSON.stringify({ workflow: "requirements", input: { idea: "A library" } }),
  });
  await expect
    .poll(async () => (await operator("tenants")).stdout, { timeout: 60_000, interval: 1000 })
    .not.toContain(tenant);
}, 300_000);

test("a run and the status show what a run waits for: a model that hangs, or a person", async () => {
  const hanging = createServer(() => {}).listen(0, "127.0.0.1");
  await once(hanging, "listening");
  const { port } = hanging.address() as AddressInfo;
  const folder = mkdtempSync(join(tmpdir(), "parley-operator-hanging-"));
  const env = {
    LLM_TIMEOUT_MS: "1500",
    PROVIDERS: JSON.stringify({
      hangs: { base_url: `http://127.0.0.1:${port}/v1`, api_key: "none", default_model: "m" },
    }),
  };
  const other = await startServer({ state: folder, env, host: "node" });
  try {
    const post = async (key: string, body: object) => {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const request = { workflow: "requirements", input: { idea: "A library that lends tools" }, ...body };
      const reply = await fetch(`${other.url}/v1/runs`, { method: "POST", headers, body: JSON.stringify(request) });
      return ((await reply.json()) as { id: string }).id;
    };
    const waits = await post(other.live_key, {});
    const asks = await post(other.test_key, { options: { human_stakeholder: true } });
    const show = async (...args: string[]) => (await operatorOn(folder, ...args)).stdout;
    await expect
      .poll(() => show("run", waits), { timeout: 30_000, interval: 500 })
      .toMatch(
        /last failure +provider_timeout in elicitation\/[^]*Models that fail\n.*\nhangs\/m +provider_timeout +\d{4}-/,
      );
    expect(await show("run", waits)).toMatch(new RegExp(`status +running[^]*instance +${waits}-e1 \\(running\\)`));
    expect(await show("status")).toMatch(/Model providers that fail\n.*\nhangs\/m +provider_timeout +1 +\d{4}-/);
    await expect
      .poll(() => show("run", asks), { timeout: 30_000, interval: 500 })
      .toMatch(/status +input_required[^]*last step +\w+\/[^]*Open questions\n.*\nint_\w+ +clarification/);
    expect(await operatorOn(folder, "run", "run_none")).toMatchObject({
      code: 1,
      stderr: "There is no run run_none.\n",
    });
  } finally {
    await other.stop();
    hanging.close();
    hanging.closeAllConnections();
    rmSync(folder, { recursive: true });
  }
}, 120_000);

test("what the operator asks for wrongly is named, with where the usage is, and changes nothing", async () => {
  for (const [args, message] of [
    [["add-key", "ten_none"], "There is no tenant ten_none"],
    [["revoke-key", "key_none"], "There is no key key_none"],
  ] as const)
    expect(await operator(...args)).toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
  for (const [args, message] of [
    [[], "Name a command"],
    [["drop"], "There is no command drop"],
    [["add-tenant"], "needs a name"],
    [["set-quota", "ten_none", "everything=1"], "quotas are max_concurrent_runs, stored_bytes"],
    [["set-quota", "ten_none", "corpora=99999999999999999999"], "needs <name>=<number>"],
    [["add-tenant", "Ann's", "shop"], "add-tenant does not take shop"],
    [["tenants", "--all"], "--all"],
    [["add-key", "ten_none", "--scopes", "root"], "There is no scope root"],
    [["add-key", "ten_none", "--workflows", "alchemy"], "there are debate"],
    [["add-key", "ten_none", "--workflows", "debate", "--scopes", "admin"], "cannot be bound"],
    [["add-key", "ten_none", "--expires", "2001-01-01"], "in the future"],
  ] as const) {
    const misuse = await operator(...args);
    expect(misuse).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
    expect(misuse.stderr).toContain("`npm run operator -- --help`");
  }
}, 120_000);
