/** A backup is taken in the middle of runs, and restored into an empty database and bucket: everything continues from there. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { holdWrites } from "../../../scripts/backup/hold.ts";
import { schemaOf } from "../../../scripts/backup/tables.ts";
import { localDatabase } from "../../../scripts/lib/database.ts";
import { Served, until } from "../../support/served";

const folder = mkdtempSync(join(tmpdir(), "parley-backup-process-"));
let served: Served;
beforeAll(async () => {
  served = await Served.start({ LLM_TIMEOUT_MS: "600000" });
});
afterAll(async () => {
  await served.close();
  rmSync(folder, { recursive: true });
});

const live = (method: string, path: string, body?: object) => served.api(method, path, served.live_key, body);
const script = (name: string, args: string[], env: Record<string, string>) =>
  promisify(execFile)(process.execPath, [`scripts/${name}.ts`, "--local", ...args], {
    env: { ...process.env, ...env },
  });

const stakeholders = ["Anna", "Boris"].map((name) => ({ name, profile: "lends tools" }));
const request = {
  workflow: "requirements",
  input: { idea: "A library that lends tools", stakeholders },
  options: { qa_rounds: 1 },
};
const NEVER = 10 * 60_000;

/** Creates corpora, one after the other, until it is stopped; returns what was answered, and the ids of those that were created. */
async function createCorpora(isOver: () => boolean) {
  const answers: { status: number; id: string }[] = [];
  while (!isOver()) {
    const { status, body, headers } = await served.post("/v1/corpora", served.live_key, { name: "c" }, {});
    answers.push({ status, id: body.id });
    if (status !== 201) expect(headers.get("retry-after")).not.toBeNull();
    await sleep(50);
  }
  return answers;
}

it("a backup in the middle of runs is restored elsewhere: runs finish, questions are answered, searches find, webhooks are sent", async () => {
  const accepting = await served.hook("accepting", [200]);
  const refusing = await served.hook("refusing", [500]);
  for (const url of [accepting, refusing])
    await live("POST", "/v1/webhook-endpoints", {
      url,
      events: ["run.created", "run.input_required", "run.completed"],
    });
  const answers = await served.planFromMock(request, 200);
  const last = Object.keys(answers).find((step) => step.includes("write_srs"))!;
  await served.plan({ ...answers, [last]: [{ ...answers[last]![0]!, delay_ms: NEVER }] });

  const corpus = await live("POST", "/v1/corpora", { name: "Statutes" });
  const text = `A tool that was lent is returned within two weeks. ${"Nobody lends ladders. ".repeat(4000)}`;
  const document = await live("POST", `/v1/corpora/${corpus.id}/documents`, {
    source: "Statute",
    language: "en",
    text,
  });
  const search = async () =>
    (await live("POST", `/v1/corpora/${corpus.id}/search`, { query: "returned tools", method: "bm25" })).data;
  const found = await until("a result", async () => (await search()).length > 0 && search());

  const running = await live("POST", "/v1/runs", request);
  const waiting = await live("POST", "/v1/runs", {
    ...request,
    options: { reviews: ["requirement_draft"], qa_rounds: 1 },
  });
  const { interactions } = await served.status(waiting.id, "input_required");
  const { callback_url } = await live("GET", `/v1/interactions/${interactions[0]}`);
  const callOf = async (id: string) => (await served.callsOf(id)).find(({ step }) => step === last);
  await until("the last call", () => callOf(running.id).then(Boolean));
  await until("refused webhooks", async () => (await served.hooksOf("refusing")).length >= 3);

  let isOver = false;
  const [{ stdout }, writes] = await Promise.all([
    script("backup", [join(folder, "backup")], { PARLEY_STATE: served.state }).finally(() => (isOver = true)),
    createCorpora(() => isOver),
  ]);
  expect(stdout).toContain("Keep that apart");
  expect(writes.filter(({ status }) => status !== 201 && status !== 503)).toEqual([]);
  const { id: last_corpus } = await live("POST", "/v1/corpora", { name: "after" });
  expect(await live("GET", `/v1/runs/${running.id}`)).toMatchObject({ status: "running" });

  const held = localDatabase(served.state);
  await holdWrites(held, (await schemaOf(held)).tables, 600_000);
  held.release();
  const refused = await served.post("/v1/corpora", served.live_key, { name: "refused" }, {});
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, expect.any(String)]);
  expect(await live("GET", `/v1/runs/${running.id}`)).toMatchObject({ status: "running" });
  await script("backup", ["--release"], { PARLEY_STATE: served.state });
  await live("POST", "/v1/corpora", { name: "released" });

  await served.kill();
  const accepted = (await served.hooksOf("accepting")).map(({ headers }) => headers["webhook-id"]!);
  const { secret } = JSON.parse(readFileSync(join(served.state, "dev.json"), "utf8"));
  const { live_key } = served;
  rmSync(served.state, { recursive: true });
  served.state = join(folder, "restored");
  await script("restore", [join(folder, "backup")], { PARLEY_STATE: served.state, PARLEY_SECRET: secret });
  // Later the refused webhooks are due again.
  const db = localDatabase(served.state);
  await db.execute("UPDATE deliveries SET next_attempt_at = 0 WHERE status = 'pending'");
  db.release();
  await served.hook("refusing", [200]);
  await served.plan(answers);
  await served.up();
  const asBefore = (method: string, path: string, body?: object) => served.api(method, path, live_key, body);

  await served.status(running.id, "completed", live_key);
  const { pathname } = new URL(callback_url);
  const answered = await fetch(served.url + pathname, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ decision: "approve" }),
  });
  expect(answered.status).toBe(200);
  await served.status(waiting.id, "completed", live_key);
  const calls = (await served.callsOf(running.id)).map(({ step }) => step);
  expect(calls.filter((step, at) => calls.indexOf(step) < at)).toEqual([last]);

  expect(await search()).toEqual(found);
  const content = await fetch(`${served.url}/v1/corpora/${corpus.id}/documents/${document.id}/content`, {
    headers: { authorization: `Bearer ${live_key}` },
  });
  expect((await content.text()) === text, "the large document is as it was").toBe(true);
  const corpora = (await asBefore("GET", "/v1/corpora?limit=100")).data.map(({ id }: { id: string }) => id);
  // The backup shows one moment: of what was created one after the other, it has the first, and nothing later.
  const created = writes.flatMap(({ status, id }) => (status === 201 ? [id] : []));
  const kept = created.filter((id) => corpora.includes(id));
  expect(kept).toEqual(created.slice(0, kept.length));
  expect(corpora).not.toContain(last_corpus);

  const events = await Promise.all(
    [running, waiting].map(({ id }) => asBefore("GET", `/v1/runs/${id}/events?limit=100`)),
  );
  const announced = events
    .flatMap(({ data }) => data)
    .filter(({ type }: any) => ["run.created", "run.input_required", "run.completed"].includes(type))
    .map(({ id }: any) => id);
  const received = async (name: string) =>
    (await served.hooksOf(name)).map(({ headers }) => headers["webhook-id"]!).filter((id) => announced.includes(id));
  for (const name of ["accepting", "refusing"])
    await until(`webhooks to ${name}`, async () => new Set(await received(name)).size === announced.length);
  const again = (await received("accepting")).slice(accepted.filter((id) => announced.includes(id)).length);
  expect(again.filter((id) => accepted.includes(id))).toEqual([]);
}, 400_000);
