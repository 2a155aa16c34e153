/** Uploads of items to a data set: all lines are stored or none, and every invalid line is named. */
import { describe, expect, it } from "vitest";
import { bindings, makeTenant } from "../support/parley";
import { tenantOfFile } from "../support/runs";
import { api, refusal } from "./api";
import { datasetsOf, item, linesOf } from "./dataset";

const client = tenantOfFile();
const datasets = () => datasetsOf(client.test);
const empty = async (more: object = {}) => (await datasets().create(more)).body.id as string;
const countOf = async (id: string) => (await datasets().at("GET", id)).body.items as number;
const MIB = 1024 * 1024;

describe("every invalid line", () => {
  it("is named with its number, path and message, and nothing of the upload is stored", async () => {
    const id = await empty();
    const bytes = Buffer.concat([
      Buffer.from(`\ufeff${linesOf([item("good")])}\r\n`),
      Buffer.from("{not json}\n"),
      Buffer.from(linesOf([{ input: { requirement: "No id." } }])),
      Buffer.from(linesOf([item("a b"), item("extra", { colour: "red", input: { requirement: "", color: 1 } })])),
      Buffer.from(linesOf([item("input", { input: { requirement: 3, color: 1 }, options: { strategy: "none" } })])),
      Buffer.from(linesOf([item("gold", { gold: { number: "ten", answer: 1 } })])),
      Buffer.from([0x22, 0xff, 0xfe, 0x22, 0x0a]),
      Buffer.from(linesOf([item("good")])),
      Buffer.from("[]\n"),
      Buffer.from(linesOf([item("tags", { tags: [""] })]).trim()),
    ]);
    const { status, body } = await datasets().send(id, bytes);
    expect(status).toBe(422);
    expect(body.errors.map(({ path, code }: any) => `${path} ${code}`)).toEqual([
      "lines.3 malformed_json",
      "lines.4.id required",
      "lines.5.id invalid_format",
      "lines.6.colour unknown_field",
      "lines.7.input.requirement invalid_type",
      "lines.7.input.color unknown_field",
      "lines.7.options.strategy invalid_value",
      "lines.8.gold.number invalid_type",
      "lines.8.gold.answer unknown_field",
      "lines.9 invalid_encoding",
      "lines.10.id duplicate_item",
      "lines.11 invalid_type",
      "lines.12.tags.0 too_small",
    ]);
    expect(body.errors[10].message).toBe('Line 1 has the id "good" too.');
    expect(body.detail).toContain("And 10 more");
    expect(await countOf(id)).toBe(0);
  });

  it("is listed up to 100 errors, and then reading ends", async () => {
    const id = await empty();
    const { status, body } = await datasets().upload(id, linesOf([item("a")]) + "x\n".repeat(3000));
    expect(status).toBe(400);
    expect(body.code).toBe("malformed_json");
    expect(body.errors).toHaveLength(100);
    expect(body.errors[99].path).toBe("lines.101");
    expect(await countOf(id)).toBe(0);
  });

  it("that is too large or too deep is one", async () => {
    const id = await empty();
    const deep = `{"id":"deep","input":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}\n`;
    const { body } = await datasets().send(
      id,
      Buffer.from(linesOf([item("big", { input: { requirement: "x".repeat(MIB) } })]) + deep),
    );
    expect(body.errors.map(({ path, code }: any) => `${path} ${code}`)).toEqual([
      "lines.1 too_large",
      "lines.2 too_deep",
    ]);
  });

  it("whose id the data set has is named, and no other item is added", async () => {
    const { filled, upload } = datasets();
    const id = await filled([item("a"), item("b")]);
    const again = await upload(id, linesOf([item("c"), item("b"), item("a")]));
    expect(again).toMatchObject(refusal(409, "duplicate_item", "lines.2.id", "lines.3.id"));
    expect(await countOf(id)).toBe(2);
  });
});

it("items are checked by the data set's workflow", async () => {
  const id = await empty({ workflow: "debate" });
  const question = { id: "q", input: { question: "May a tenant sublet?" }, gold: { choice: "B" } };
  expect(await datasets().upload(id, linesOf([item("a")]))).toMatchObject(
    refusal(422, "validation_failed", "lines.1.input.question", "lines.1.input.requirement"),
  );
  expect((await datasets().upload(id, linesOf([question]))).status).toBe(200);
});

it("an upload without items, of another type, or larger than 8 MiB is refused", async () => {
  const { upload, send } = datasets();
  const id = await empty();
  for (const body of ["", "\n\r\n  \n"])
    expect(await upload(id, body)).toMatchObject(refusal(422, "validation_failed"));
  expect(await upload(id, "{}", { "content-type": "application/json" })).toMatchObject(
    refusal(415, "unsupported_media_type"),
  );
  const large = Buffer.from(
    linesOf(
      Array.from({ length: 9000 }, (_, n) =>
        item(`${n}`, { tags: ["x".repeat(99)], input: { requirement: "y".repeat(1000) } }),
      ),
    ),
  );
  expect(large.length).toBeGreaterThan(8 * MIB);
  expect(await send(id, large)).toMatchObject(refusal(413, "payload_too_large"));
  const stream = new ReadableStream({
    start(controller) {
      for (let at = 0; at < large.length; at += 100_000) controller.enqueue(large.subarray(at, at + 100_000));
      controller.close();
    },
  });
  expect(await send(id, stream)).toMatchObject(refusal(413, "payload_too_large"));
  expect(await countOf(id)).toBe(0);
});

describe("a large upload", () => {
  it("of 5,000 items is stored at once, and gives its items back", async () => {
    const { at, send, close } = datasets();
    const id = await empty();
    const items = Array.from({ length: 5000 }, (_, n) =>
      item(`n${n}`, { input: { requirement: `Question ${n}: ${"how many? ".repeat(50)}` }, tags: ["sum"] }),
    );
    expect(await send(id, Buffer.from(linesOf(items)))).toMatchObject({ status: 200, body: { items: 5000 } });
    expect((await close(id)).status).toBe(200);
    const lines = ((await at("GET", id, "/export")).body as string).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual(items);
  }, 60_000);

  it("is refused when the data set would have more than 10,000 items or 16 MiB", async () => {
    const { upload, send } = datasets();
    const many = await empty();
    const short = Array.from({ length: 9999 }, (_, n) => item(`n${n}`));
    expect((await send(many, Buffer.from(linesOf(short)))).status).toBe(200);
    expect(await upload(many, linesOf([item("a"), item("b")]))).toMatchObject(refusal(409, "dataset_full"));
    expect((await upload(many, linesOf([item("a")]))).body.items).toBe(10_000);
    const long = await empty();
    const part = (from: number) =>
      Buffer.from(
        linesOf(
          Array.from({ length: 400 }, (_, n) => item(`n${from + n}`, { input: { requirement: "z".repeat(19_000) } })),
        ),
      );
    expect((await send(long, part(0))).status).toBe(200);
    expect((await send(long, part(1000))).status).toBe(200);
    expect(await send(long, part(2000))).toMatchObject(refusal(409, "dataset_full"));
    expect(await countOf(long)).toBe(800);
  }, 60_000);
});

describe("at the same time", () => {
  it("20 uploads share the room of a quota exactly", async () => {
    const tenant = await makeTenant();
    const { create, upload, at } = datasetsOf(tenant.test);
    await bindings.DB.prepare("INSERT INTO quota_limits (tenant_id, quota, most) VALUES (?, 'dataset_items', 15)")
      .bind(tenant.tenant)
      .run();
    const { id } = (await create()).body;
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) => upload(id, linesOf([0, 1, 2].map((part) => item(`${n}.${part}`))))),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([...Array(5).fill(200), ...Array(15).fill(429)]);
    expect(replies.find(({ status }) => status === 429)!.body.quota).toMatchObject({
      name: "dataset_items",
      limit: 15,
    });
    expect((await at("GET", id)).body.items).toBe(15);
    expect((await at("GET", id, "/items")).body.data).toHaveLength(15);
    const { quotas } = (await api("GET", "/v1/metrics", { key: tenant.test })).body;
    expect(quotas.dataset_items).toEqual({ used: 15, limit: 15 });
  });

  it("one of 20 uploads with the same item is stored, and the others name its line", async () => {
    const id = await empty();
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) => datasets().upload(id, linesOf([item(`own-${n}`), item("shared")]))),
    );
    const refused = replies.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(19);
    for (const reply of refused) expect(reply).toMatchObject(refusal(409, "duplicate_item", "lines.2.id"));
    expect(await countOf(id)).toBe(2);
  });

  it("20 uploads keep the order of their own items, and their lines together", async () => {
    const id = await empty();
    const own = (n: number) => Array.from({ length: 30 }, (_, at) => `${n}.${at}`);
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => datasets().upload(id, linesOf(own(n).map((name) => item(name))))),
    );
    const lines = ((await datasets().at("GET", id, "/export")).body as string).trim().split("\n");
    const ids = lines.map((line) => JSON.parse(line).id as string);
    expect(ids).toHaveLength(600);
    for (let at = 0; at < 600; at += 30) expect(ids.slice(at, at + 30)).toEqual(own(Number(ids[at]!.split(".")[0])));
  });
});

it("a repeated upload under its key is answered again and adds nothing", async () => {
  const id = await empty();
  const once = () => datasets().upload(id, linesOf([item("a")]), { "idempotency-key": "again" });
  const first = await once();
  const second = await once();
  expect(second).toMatchObject({ status: 200, body: first.body });
  expect(second.headers.get("idempotency-replayed")).toBe("true");
  expect(await datasets().upload(id, linesOf([item("b")]), { "idempotency-key": "again" })).toMatchObject(
    refusal(422, "idempotency_key_reused"),
  );
});
