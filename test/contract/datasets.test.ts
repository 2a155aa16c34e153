/** Data sets: created, listed, changed, closed, exported and deleted. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { Store } from "#store/store";
import { all, bindings, call, makeTenant } from "../support/parley";
import { tenantOfFile } from "../support/runs";
import { api, refusal } from "./api";
import { datasetsOf, item, linesOf } from "./dataset";

const client = tenantOfFile();
const datasets = () => datasetsOf(client.test);

it("a new data set is open and empty, and has the mode of its key", async () => {
  const { status, body, headers } = await datasets().create({ description: "First", metadata: { edition: "1" } });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    object: "dataset",
    name: "Sums",
    description: "First",
    workflow: "waterfall",
    metadata: { edition: "1" },
    mode: "test",
    status: "open",
    items: 0,
    bytes: 0,
    content_hash: null,
    closed_at: null,
  });
  expect(headers.get("location")).toBe(`/v1/datasets/${body.id}`);
  expect((await datasets().at("GET", body.id)).body).toEqual(body);
});

it("every error of a body is named", async () => {
  const { create } = datasets();
  expect(await create({ workflow: "nothing" })).toMatchObject(refusal(422, "unknown_workflow", "workflow"));
  expect(await create({ name: " ", workflow: 3, color: "red" })).toMatchObject(
    refusal(422, "validation_failed", "name", "workflow", "color"),
  );
  const { id } = (await create()).body;
  expect(await datasets().at("PATCH", id, "", {})).toMatchObject(refusal(422, "validation_failed"));
  const fixed = await datasets().at("PATCH", id, "", { workflow: "debate" });
  expect(fixed).toMatchObject(refusal(422, "validation_failed", "workflow"));
});

it("lists are filtered by name, workflow, version and status", async () => {
  const key = (await makeTenant()).test;
  const own = datasetsOf(key);
  const sums = await own.closed([item("1")], { name: "A" });
  const again = await own.closed([item("1")], { name: "B" });
  const open = await own.filled([item("2")], { name: "A" });
  const other = (await own.create({ name: "C", workflow: "requirements" })).body.id;
  const list = async (query: string) => (await all(key, `/v1/datasets?${query}`)).map(({ id }) => id);
  expect(await list("")).toEqual([other, open, again, sums]);
  expect(await list("name=A")).toEqual([open, sums]);
  expect(await list("workflow=requirements")).toEqual([other]);
  expect(await list("status=closed")).toEqual([again, sums]);
  expect(await list("status=open")).toEqual([other, open]);
  const { content_hash } = (await own.at("GET", sums)).body;
  expect(await list(`content_hash=${content_hash}`)).toEqual([again, sums]);
  expect(await list(`content_hash=${content_hash}&name=A`)).toEqual([sums]);
  expect(await api("GET", "/v1/datasets?status=new", { key })).toMatchObject(refusal(400, "invalid_query", "status"));
});

describe("closing", () => {
  it("gives the SHA-256 of the export, and fixes the items", async () => {
    const { at, upload, close, filled } = datasets();
    const id = await filled([{ gold: { number: 2 }, input: { requirement: "Zwölf" }, id: "b" }, item("a")]);
    const closing = await close(id);
    expect(closing).toMatchObject({ status: 200, body: { status: "closed", items: 2 } });
    const exported = await at("GET", id, "/export");
    expect(exported.body).toBe(
      `{"gold":{"number":2},"id":"b","input":{"requirement":"Zwölf"}}\n{"gold":{"number":10},"id":"a","input":{"requirement":"Count to a."}}\n`,
    );
    expect(closing.body.content_hash).toBe(createHash("sha256").update(exported.body).digest("hex"));
    expect(closing.body.bytes).toBe(Buffer.byteLength(exported.body) - 2);
    expect(await upload(id, linesOf([item("c")]))).toMatchObject(refusal(409, "dataset_closed"));
    expect((await at("GET", id)).body).toEqual(closing.body);
  });

  it("again changes nothing, and an empty data set stays open", async () => {
    const { at, close, closed, create } = datasets();
    const id = await closed([item("a")]);
    const before = (await at("GET", id)).body;
    expect(await close(id)).toMatchObject({ status: 200, body: before });
    const empty = (await create()).body.id;
    expect(await close(empty)).toMatchObject(refusal(409, "dataset_empty"));
    expect((await at("GET", empty)).body.status).toBe("open");
  });

  it("while uploads arrive covers exactly the items that the data set then has", async () => {
    const { at, upload, close, filled } = datasets();
    const id = await filled([item("first")]);
    const uploads = Array.from({ length: 10 }, (_, n) => upload(id, linesOf([item(`n${n}`)])));
    const closing = await close(id);
    const replies = await Promise.all(uploads);
    if (closing.status === 409) expect((await close(id)).status).toBe(200);
    const added = replies.filter(({ status }) => status === 200).length;
    for (const { status, body } of replies) if (status !== 200) expect(body.code).toBe("dataset_closed");
    const { items, content_hash } = (await at("GET", id)).body;
    const exported = (await at("GET", id, "/export")).body as string;
    expect(exported.trim().split("\n")).toHaveLength(items);
    expect(items).toBe(1 + added);
    expect(content_hash).toBe(createHash("sha256").update(exported).digest("hex"));
  });

  it("gives the same version to the same items, however they are written and uploaded", async () => {
    const { at, upload, close, create } = datasets();
    const versions = [];
    const parts = [
      [linesOf([item("a"), item("b")])],
      [linesOf([item("a")]), linesOf([item("b")])],
      [
        `\ufeff\r\n{ "gold":{"number":1e1},"id":"a", "input" : {"requirement":"\\u0043ount to a."}}\r\n\n${JSON.stringify(item("b"))}`,
      ],
      [linesOf([item("b"), item("a")])],
    ];
    for (const uploads of parts) {
      const { id } = (await create()).body;
      for (const lines of uploads) expect((await upload(id, lines)).status).toBe(200);
      versions.push((await close(id)).body.content_hash);
      expect((await at("GET", id)).body.items).toBe(2);
    }
    expect(versions[1]).toBe(versions[0]);
    expect(versions[2]).toBe(versions[0]);
    expect(versions[3]).not.toBe(versions[0]);
  });
});

it("name, description and metadata change, also of a closed data set; the version stays", async () => {
  const { at, closed } = datasets();
  const id = await closed([item("a")]);
  const before = (await at("GET", id)).body;
  const change = { name: "Other", description: "Second", metadata: { edition: "2" } };
  const { status, body } = await at("PATCH", id, "", change);
  expect(status).toBe(200);
  expect(body).toEqual({ ...before, ...change, updated_at: body.updated_at });
});

describe("items", () => {
  it("are listed in their order, in pages", async () => {
    const { filled, upload } = datasets();
    const names = Array.from({ length: 7 }, (_, n) => `z${9 - n}`);
    const id = await filled(names.map((name) => item(name)));
    await upload(id, linesOf([item("a")]));
    const seen = [];
    for (let cursor = ""; ;) {
      const { body } = await api("GET", `/v1/datasets/${id}/items?limit=3${cursor}`, { key: client.test });
      seen.push(...body.data);
      if (!body.next_cursor) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(seen).toEqual([...names, "a"].map((name) => item(name)));
  });

  it("that are large are in R2, end a page early, and are removed with the data set", async () => {
    const { at, filled } = datasets();
    const long = (id: string) => item(id, { input: { requirement: `${id} ${"x".repeat(19_000)}` }, tags: ["long"] });
    const reference = "y".repeat(39_000);
    const large = Array.from({ length: 40 }, (_, n) =>
      item(`n${n}`, { ...long(`n${n}`), gold: { reference, rubric: [{ text: "z".repeat(4000), points: 1 }] } }),
    );
    const huge = item("huge", {
      gold: { rubric: Array.from({ length: 25 }, () => ({ text: "é".repeat(4000), points: 1 })) },
    });
    const id = await filled([...large, huge]);
    const first = (await at("GET", id, "/items?limit=100")).body;
    expect(first.data.length).toBeGreaterThan(1);
    expect(first.data.length).toBeLessThan(41);
    const listed = await all(client.test, `/v1/datasets/${id}/items`);
    expect(listed).toEqual([...large, huge]);
    expect((await at("GET", id, "/export")).body.trim().split("\n")).toHaveLength(41);
    const objects = async () => (await bindings.BUCKET.list({ prefix: `${client.tenant}/${id}/` })).objects.length;
    expect(await objects()).toBe(1);
    const orphans = await bindings.DB.prepare("SELECT key FROM orphans WHERE instr(key, ?) = 1")
      .bind(`${client.tenant}/${id}/`)
      .all();
    expect(orphans.results).toEqual([]);
    // A repeated upload records its object again after the row was written: it is no orphan.
    const { key } = (await bindings.BUCKET.list({ prefix: `${client.tenant}/${id}/` })).objects[0]!;
    await bindings.DB.prepare("INSERT INTO orphans (key, due_at) VALUES (?, 0)").bind(key).run();
    await new Store(bindings.DB, bindings.BUCKET).contents.orphans(Date.now(), 50);
    const recorded = () => bindings.DB.prepare("SELECT key FROM orphans WHERE key = ?").bind(key).first();
    expect(await recorded()).toBeNull();
    expect((await at("DELETE", id)).status).toBe(204);
    expect(await objects()).toBe(0);
    expect(await at("GET", id)).toMatchObject(refusal(404, "not_found"));
    const rows = await bindings.DB.prepare("SELECT COUNT(*) AS n FROM dataset_items WHERE dataset_id = ?")
      .bind(id)
      .first<number>("n");
    expect(rows).toBe(0);
  });

  it("are exported with an entry in the audit log, and can be uploaded again", async () => {
    const { at, closed, create, upload, close } = datasets();
    const id = await closed([item("a"), item("b", { options: { strategy: "single_agent" }, tags: ["x"] })]);
    const exported = (await at("GET", id, "/export")).body;
    const { data } = (await api("GET", "/v1/audit?limit=5", { key: client.test })).body;
    expect(data[0]).toMatchObject({ action: "exportDataset", object_type: "dataset", object_id: id, outcome: "done" });
    const copy = (await create()).body.id;
    expect((await upload(copy, exported)).status).toBe(200);
    expect((await close(copy)).body.content_hash).toBe((await at("GET", id)).body.content_hash);
  });
});

it("the audit log has who created, filled, closed, changed and deleted a data set", async () => {
  const { test } = await makeTenant();
  const { at, closed } = datasetsOf(test);
  const id = await closed([item("a")]);
  await at("PATCH", id, "", { name: "B" });
  await at("DELETE", id);
  const { data } = (await api("GET", "/v1/audit", { key: test })).body;
  expect(data.toReversed().map(({ action, object_type, object_id }: any) => [action, object_type, object_id])).toEqual(
    ["createDataset", "addItems", "closeDataset", "updateDataset", "deleteDataset"].map((action) => [
      action,
      "dataset",
      id,
    ]),
  );
});

it("a key that is bound to workflows reads data sets, and changes none", async () => {
  const { closed } = datasets();
  const id = await closed([item("a")]);
  const made = await api("POST", "/v1/keys", {
    key: client.test,
    body: { name: "bound", mode: "test", workflows: ["waterfall"] },
  });
  const bound = datasetsOf(made.body.key);
  for (const path of ["", "/items", "/export"]) expect((await bound.at("GET", id, path)).status, path).toBe(200);
  expect(await bound.create()).toMatchObject(refusal(403, "workflow_not_allowed"));
  expect(await bound.at("DELETE", id)).toMatchObject(refusal(403, "workflow_not_allowed"));
  expect((await call("POST", `/v1/datasets/${id}/close`, { key: made.body.key })).status).toBe(403);
});
