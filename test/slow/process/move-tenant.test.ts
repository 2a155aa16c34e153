/** Two databases: a tenant on each, one that is moved while fifty of its runs wait for answers, and a backup of both. */
import { execFile, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { holdWrites } from "../../../scripts/backup/hold.ts";
import { schemaOf } from "../../../scripts/backup/tables.ts";
import { isOf, tenantTables } from "../../../scripts/operator/tenant-rows.ts";
import { localDatabase } from "../../../scripts/lib/database.ts";
import { Served, until } from "../../support/served";

let served: Served;
beforeAll(async () => {
  served = await Served.start({ MAX_CONCURRENT_RUNS: "100" }, "workerd", 2);
});
afterAll(() => served.close());

const script = (name: string, args: string[], env: Record<string, string>) =>
  promisify(execFile)(process.execPath, [`scripts/${name}.ts`, "--local", ...args], {
    env: { ...process.env, ...env },
  });
const operatorArgs = (args: string[]) => ["scripts/operator.ts", "--local", ...args];
const environment = () => ({ ...process.env, PARLEY_STATE: served.state });
const operator = async (...args: string[]) => (await script("operator", args, { PARLEY_STATE: served.state })).stdout;

async function newTenant(name: string, database: string) {
  const made = await operator("add-tenant", name, "--database", database);
  const [tenant] = /ten_\w+/.exec(made)!;
  const [live] = /parley_live_\S+/.exec(made)!;
  const [test] = /parley_test_\S+/.exec(await operator("add-key", tenant, "--mode", "test"))!;
  return { tenant, live, test };
}

const request = {
  workflow: "requirements",
  input: { idea: "A library that lends tools", stakeholders: [{ name: "Anna", profile: "lends tools" }] },
  options: { reviews: ["requirement_draft"], qa_rounds: 1, max_iterations: 1 },
};

/** Numbers of rows of the tenant's tables in a database. */
async function rowsIn(binding: string, tenant: string): Promise<Record<string, number>> {
  const db = localDatabase(served.state, binding);
  try {
    const tables = tenantTables((await schemaOf(db)).tables);
    const counts = await db.queryAll(
      tables.map(({ name }) => `SELECT COUNT(*) AS n FROM ${name} WHERE ${isOf(name, tenant)}`),
    );
    return Object.fromEntries(tables.map(({ name }, at) => [name, counts[at]![0]!.n]));
  } finally {
    db.release();
  }
}

const PLAIN = { ...request, options: { qa_rounds: 1, max_iterations: 1 } };

const RUNS = 50;
const APPROVAL = { decision: "approve" };

async function holdWritesOf(tenant: string): Promise<void> {
  const db = localDatabase(served.state, "DB");
  const conditionOf = (table: string, row: "NEW" | "OLD") => isOf(table, tenant, row);
  const tables = tenantTables((await schemaOf(db)).tables);
  await holdWrites(db, tables, 600_000, { prefix: `move_holds_${tenant}_`, conditionOf });
  db.release();
}

/** Creates corpora, one after the other; returns what was answered, and the ids of those that were created. */
async function createCorpora(key: string, signal: AbortSignal) {
  const answers: { status: number; id: string }[] = [];
  while (!signal.aborted) {
    const { status, body, headers } = await served.post("/v1/corpora", key, { name: "c" }, {});
    answers.push({ status, id: body.id });
    if (status === 503) expect(headers.get("retry-after")).not.toBeNull();
    await sleep(500);
  }
  return answers;
}

/** As a browser or an app does that has a question's callback URL only. */
async function answerByLink(link: string): Promise<void> {
  const { status } = await fetch(served.url + new URL(link).pathname, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(APPROVAL),
  });
  expect(status).toBe(200);
}

it("a tenant is moved while fifty of its runs wait for answers: all are answered afterwards and complete, webhooks are sent once", async () => {
  const [moved, staying] = [await newTenant("moved", "DB"), await newTenant("staying", "DB_2")];
  const api = (method: string, path: string, body?: object) => served.api(method, path, moved.test, body);
  const url = await served.hook("moved", [200]);
  await api("POST", "/v1/webhook-endpoints", { url, events: ["run.input_required", "run.completed"] });
  const corpus = await api("POST", "/v1/corpora", { name: "Statutes" });
  const text = "A tool that was lent is returned within two weeks.";
  await api("POST", `/v1/corpora/${corpus.id}/documents`, { source: "Statute", language: "en", text });
  const search = async () => (await api("POST", `/v1/corpora/${corpus.id}/search`, { query: "returned tools" })).data;
  const found = await until("a result", async () => (await search()).length > 0 && search());
  const other = await served.api("POST", "/v1/runs", staying.test, request);

  const runs: string[] = [];
  for (let n = 0; n < RUNS; n++) runs.push((await api("POST", "/v1/runs", request)).id);
  const waiting = await Promise.all(runs.map((id) => served.status(id, "input_required", moved.test)));
  const questions = waiting.map(({ interactions }) => interactions[0] as string);
  await until("webhooks", async () => (await served.hooksOf("moved")).length >= RUNS);
  await until(
    "the maintenance worker has looked at sealed secrets",
    async () => !(await operator("secrets")).includes("not looked"),
  );
  const before = await rowsIn("DB", moved.tenant);

  // A run whose last call is under way from before the first move until after a switch.
  const answers = await served.planFromMock(PLAIN, 200);
  const last = Object.keys(answers).find((step) => step.includes("write_srs"))!;
  await served.plan({ ...answers, [last]: [{ ...answers[last]![0]!, delay_ms: 20_000 }] });
  const active = await served.api("POST", "/v1/runs", moved.live, PLAIN);
  await until("the last call", async () => (await served.callsOf(active.id)).some(({ step }) => step === last));
  const writing = new AbortController();
  const writes = createCorpora(moved.test, writing.signal);

  await holdWritesOf(moved.tenant); // as a move does that is killed before it has copied anything
  const post = async (key: string) => (await served.post("/v1/corpora", key, { name: "held" }, {})).status;
  expect([await post(moved.test), await post(served.test_key)]).toEqual([503, 201]);

  // Killed at three moments, and repeated.
  for (const words of ["Copying", "serves the tenant now", "Deleting"]) {
    const args = ["move-tenant", moved.tenant, "--to", "DB_2", "--linger", "12"];
    const child = spawn(process.execPath, operatorArgs(args), { env: environment() });
    await new Promise<void>((done) => {
      child.stdout.on("data", (chunk) => String(chunk).includes(words) && child.kill("SIGKILL"));
      child.once("close", () => done());
    });
    const listed = await api("GET", "/v1/runs?limit=100");
    expect(listed.data.filter(({ status }: { status: string }) => status === "input_required")).toHaveLength(RUNS);
  }
  await operator("move-tenant", moved.tenant, "--to", "DB_2", "--linger", "12");
  writing.abort();
  const written = await writes;
  expect([201, 503]).toEqual(expect.arrayContaining(written.map(({ status }) => status)));
  for (const { status, id } of written) if (status === 201) await api("GET", `/v1/corpora/${id}`);
  await served.status(active.id, "completed", moved.live);
  const calls = (await served.callsOf(active.id)).map(({ step }) => step);
  expect(calls.filter((step, at) => calls.indexOf(step) < at)).toEqual([]);

  expect(Object.values(await rowsIn("DB", moved.tenant)).every((rows) => rows === 0)).toBe(true);
  const after = await rowsIn("DB_2", moved.tenant);
  for (const table of ["interactions", "passages", "documents"])
    expect([table, after[table]]).toEqual([table, before[table]]);
  expect(after.runs).toBe(before.runs! + 1);
  expect(await operator("tenants")).toMatch(new RegExp(`${moved.tenant} .* DB_2`));
  expect(await operator("recount", moved.tenant)).toContain("None.");

  expect(await search()).toEqual(found);
  await served.status(other.id, "input_required", staying.test);
  expect((await served.post(`/v1/interactions/${questions[0]}/answer`, staying.test, APPROVAL, {})).status).toBe(404);
  for (const [n, id] of questions.entries()) {
    if (n % 2 === 0) await api("POST", `/v1/interactions/${id}/answer`, APPROVAL);
    else await answerByLink((await api("GET", `/v1/interactions/${id}`)).callback_url);
  }
  for (const id of runs) await served.status(id, "completed", moved.test);
  for (const id of runs) {
    const { data } = await api("GET", `/v1/runs/${id}/events?limit=100`);
    expect(data.map(({ seq }: { seq: number }) => seq)).toEqual(data.map((_: unknown, n: number) => n + 1));
  }
  const sent = await until("webhooks", async () => {
    const hooks = await served.hooksOf("moved");
    return hooks.length >= 2 * RUNS && hooks;
  });
  expect(new Set(sent.map(({ headers }) => headers["webhook-id"])).size).toBe(2 * RUNS);
  expect(sent).toHaveLength(2 * RUNS);
  expect(await operator("recount", moved.tenant)).toContain("None.");
}, 300_000);

it("a backup holds every database, and is restored with each", async () => {
  const tenants = [await newTenant("first", "DB"), await newTenant("second", "DB_2")];
  const runs = await Promise.all(tenants.map(({ test }) => served.api("POST", "/v1/runs", test, request)));
  for (const [n, { id }] of runs.entries()) await served.status(id, "input_required", tenants[n]!.test);
  const folder = mkdtempSync(join(tmpdir(), "parley-backup-databases-"));
  const { state } = served;
  try {
    await script("backup", [join(folder, "backup")], { PARLEY_STATE: state });
    const { secret } = JSON.parse(readFileSync(join(state, "dev.json"), "utf8"));
    await served.kill();
    served.state = join(folder, "restored");
    mkdirSync(served.state);
    copyFileSync(join(state, "wrangler.toml"), join(served.state, "wrangler.toml"));
    await script("restore", [join(folder, "backup")], { PARLEY_STATE: served.state, PARLEY_SECRET: secret });
    await served.up();
    for (const [n, { id }] of runs.entries()) {
      const { test } = tenants[n]!;
      const { interactions } = await served.status(id, "input_required", test);
      await served.api("POST", `/v1/interactions/${interactions[0]}/answer`, test, APPROVAL);
      await served.status(id, "completed", test);
    }
  } finally {
    rmSync(state, { recursive: true });
    rmSync(folder, { recursive: true });
  }
}, 120_000);
