/** The server is killed at each step of an upload of documents: after the restart every document exists exactly once. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Served, until } from "../../support/served";

const DOCUMENTS = 3000;

let served: Served;
beforeAll(async () => {
  served = await Served.start();
});
afterAll(() => served.close());

const test = (method: string, path: string, body?: object) => served.api(method, path, served.test_key, body);
const create = async (): Promise<string> => (await test("POST", "/v1/corpora", { name: "Statutes" })).id;
const send = (corpus: string, body: BodyInit) =>
  fetch(`${served.url}/v1/corpora/${corpus}/documents`, {
    method: "POST",
    headers: { authorization: `Bearer ${served.test_key}`, "content-type": "application/x-ndjson" },
    body,
    duplex: "half",
  } as RequestInit);

/** Every second document has no id of its caller's: only the upload's position tells that it is stored already. */
const LINES = Array.from({ length: DOCUMENTS }, (_, n) => ({
  source: `Statute ${n}`,
  language: "en",
  text: `Clause number${n}. ${"A tool that was lent is returned within two weeks. ".repeat(24)}`,
  ...(n % 2 ? { external_id: `${n}` } : {}),
}));

async function sourcesOf(corpus: string): Promise<string[]> {
  const sources: string[] = [];
  for (let cursor = ""; ;) {
    const page = await test("GET", `/v1/corpora/${corpus}/documents?limit=100${cursor}`);
    sources.push(...page.data.map(({ source }: { source: string }) => source));
    if (page.next_cursor === null) return sources;
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
}

it("killed as soon as it is accepted, while it is read, split and embedded, it is completed with every document once", async () => {
  const corpus = await create();
  const accepted = await send(corpus, LINES.map((line) => JSON.stringify(line)).join("\n"));
  expect(accepted.status).toBe(202);
  const { id } = (await accepted.json()) as { id: string };
  const upload = () => test("GET", `/v1/corpora/${corpus}/uploads/${id}`);
  const counts = async () => (await test("GET", `/v1/corpora/${corpus}`)).counts;
  const within = (count: number) => count > 0 && count < DOCUMENTS;

  const places: [what: string, reached: () => Promise<boolean>][] = [
    ["accepted", async () => (await upload()).status !== "completed"],
    ["lines being read", async () => within((await upload()).counts.lines)],
    ["documents being split", async () => within((await counts()).passages)],
    ["passages being embedded", async () => within((await counts()).embedded_passages)],
  ];
  for (const [what, reached] of places) {
    await until(what, reached);
    await served.kill();
    await served.up();
  }
  const done = await until("the upload is completed", async () => {
    const now = await upload();
    return now.status === "completed" && now;
  });
  expect(done).toMatchObject({
    counts: { lines: DOCUMENTS, added: DOCUMENTS, unchanged: 0, invalid: 0, ready: DOCUMENTS },
    failure: null,
  });
  const sources = await sourcesOf(corpus);
  expect(sources.toSorted()).toEqual(LINES.map(({ source }) => source).toSorted());
  expect(await counts()).toEqual({
    documents: DOCUMENTS,
    ready_documents: DOCUMENTS,
    passages: DOCUMENTS,
    embedded_passages: DOCUMENTS,
  });
  for (const n of [0, 777, 1500, DOCUMENTS - 1]) {
    const { data } = await test("POST", `/v1/corpora/${corpus}/search`, { query: `number${n}`, method: "bm25" });
    expect(data.map(({ source }: { source: string }) => source)).toEqual([`Statute ${n}`]);
  }
}, 240_000);

it("killed while its lines still arrive, it leaves nothing, and can be sent again", async () => {
  const corpus = await create();
  const bytes = new TextEncoder().encode(`${JSON.stringify(LINES[0])}\n`);
  const endless = new ReadableStream({
    pull: async (controller) => {
      await sleep(5);
      controller.enqueue(bytes);
    },
  });
  const cut = send(corpus, endless).then(
    () => "answered",
    () => "cut",
  );
  await sleep(1000);
  await served.kill();
  expect(await cut).toBe("cut");
  await served.up();
  expect((await test("GET", `/v1/corpora/${corpus}/uploads`)).data).toEqual([]);
  expect(await sourcesOf(corpus)).toEqual([]);
  expect((await send(corpus, JSON.stringify(LINES[0]))).status).toBe(202);
  await until("the one document", async () => (await sourcesOf(corpus)).length === 1);
});
