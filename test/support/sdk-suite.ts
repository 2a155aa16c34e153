/** What the TypeScript SDK promises, against a Parley: in workerd (test/contract/sdk.test.ts), Node (test/slow/process/sdk.test.ts) and Chromium (test/slow/browser/sdk.test.ts). */
import { expect, it } from "vitest";
import {
  ConnectionError,
  NotFoundError,
  Parley,
  RateLimitError,
  ValidationError,
} from "../../clients/typescript/src/index";
import type { CreateRunOf, Event } from "../../clients/typescript/src/index";

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A Parley that serves requests, and a key of its own tenant for each test. */
export interface SdkWorld {
  baseURL: string;
  fetch: Fetch;
  newKey(): Promise<string>;
}

const DEBATE = {
  workflow: "debate",
  input: {
    question: "Does the tenant owe the rent of May?",
    choices: [
      { label: "A", text: "Yes" },
      { label: "B", text: "No" },
    ],
  },
  options: { rounds: 1 },
} satisfies CreateRunOf<"debate">;
const ASKS = {
  workflow: "requirements",
  input: { idea: "A library that lends tools to neighbours" },
  options: { reviews: ["requirement_draft"], qa_rounds: 0 },
} satisfies CreateRunOf<"requirements">;

const cut = () => new TypeError("the connection was cut");

/** The response with a body that breaks after some bytes. */
function cutAfter(response: Response, bytes: number): Response {
  let left = bytes;
  const cutting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      controller.enqueue(chunk.slice(0, left));
      left -= chunk.length;
      if (left <= 0) controller.error(cut());
    },
  });
  return new Response(response.body!.pipeThrough(cutting), response);
}

export function sdkSuite(world: SdkWorld): void {
  const client = async (fetch: Fetch = world.fetch) =>
    new Parley({ apiKey: await world.newKey(), baseURL: world.baseURL, fetch });

  it("starts a run, follows it to its end, and reads its output and artifacts", async () => {
    const parley = await client();
    const seen: Event[] = [];
    const run = await parley.runs.createAndWait(DEBATE, { onEvent: (event) => void seen.push(event) });
    expect(run).toMatchObject({ workflow: "debate", status: "completed", error: null });
    expect(["A", "B"]).toContain(run.output!.answer);
    expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, index) => index + 1));
    expect(seen.at(-1)!.type).toBe("run.completed");

    const artifacts = await parley.artifacts.list(run.id, { limit: 3 }).all();
    expect(artifacts.length).toBeGreaterThan(3);
    const json = artifacts.find(({ media_type }) => media_type === "application/json");
    const text = await parley.artifacts.text(run.id, json!.id);
    expect(await parley.artifacts.json(run.id, json!.id)).toEqual(JSON.parse(text));
    expect(new TextDecoder().decode(await parley.artifacts.bytes(run.id, json!.id))).toBe(text);
  });

  it("follows the events of a run that has ended, also from behind its last one", async () => {
    const parley = await client();
    const { id } = await parley.runs.createAndWait(DEBATE);
    const events = await Array.fromAsync(parley.runs.events(id));
    expect(await Array.fromAsync(parley.runs.events(id, { after: events.length - 1 }))).toEqual([events.at(-1)]);
    expect(await Array.fromAsync(parley.runs.events(id, { after: events.length }))).toEqual([]);
  });

  it("hands questions to onQuestion, and sends its answer", async () => {
    const parley = await client();
    const asked: string[] = [];
    const run = await parley.runs.createAndWait(ASKS, {
      onQuestion: ({ id, kind }) => {
        asked.push(kind);
        return id ? { decision: "approve" } : undefined;
      },
    });
    expect(run.status).toBe("completed");
    expect(asked).toEqual(["feedback"]);
  });

  it("ends a wait with the error of onQuestion, and with the reason of the signal", async () => {
    const parley = await client();
    const failing = () => Promise.reject(new Error("nobody is here"));
    await expect(parley.runs.createAndWait(ASKS, { onQuestion: failing })).rejects.toThrow("nobody is here");

    const { id } = await parley.runs.create(ASKS);
    const signal = AbortSignal.timeout(300);
    await expect(parley.runs.wait(id, { signal })).rejects.toMatchObject({ name: "TimeoutError" });
  });

  it("aborts the signal of a question that another answered", async () => {
    const parley = await client();
    const aborted = Promise.withResolvers<void>();
    const run = await parley.runs.createAndWait(ASKS, {
      onQuestion: async ({ id }, signal) => {
        await parley.interactions.answer(id, { decision: "approve" });
        // The event of the answer may have arrived before its response.
        if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
        aborted.resolve();
        return { decision: "reject" };
      },
    });
    expect(run.status).toBe("completed");
    await aborted.promise;
  });

  it("makes one run of a POST whose answers are dropped, whole or in the middle", async () => {
    const sent: (string | null)[] = [];
    const dropping: Fetch = async (url, init) => {
      const response = await world.fetch(url, init);
      if (init.method !== "POST") return response;
      sent.push(new Headers(init.headers).get("Idempotency-Key"));
      if (sent.length === 1) throw cut();
      return sent.length === 2 ? cutAfter(response, 20) : response;
    };
    const parley = await client(dropping);
    const metadata = { test: crypto.randomUUID() };
    const { id } = await parley.runs.create({ ...DEBATE, metadata });
    expect(sent).toHaveLength(3);
    expect(new Set(sent).size).toBe(1);
    expect((await parley.runs.list({ metadata }).all()).map((run) => run.id)).toEqual([id]);
  });

  it("does not take the repetition of a DELETE for a failure", async () => {
    let deletes = 0;
    const dropping: Fetch = async (url, init) => {
      const response = await world.fetch(url, init);
      if (init.method === "DELETE" && ++deletes === 1) throw cut();
      return response;
    };
    const parley = await client(dropping);
    const { id } = await parley.corpora.create({ name: "Laws" });
    await parley.corpora.delete(id);
    expect(deletes).toBe(2);
    await expect(parley.corpora.delete(id)).rejects.toBeInstanceOf(NotFoundError);
  });

  it("yields each event once and in order from a stream that is cut 20 times", async () => {
    let cuts = 0;
    const cutting: Fetch = async (url, init) => {
      const response = await world.fetch(url, init);
      if (!url.endsWith("/events") || cuts === 20) return response;
      cuts += 1;
      return cutAfter(response, 300 + 60 * (cuts % 7));
    };
    const apiKey = await world.newKey();
    const parley = new Parley({ apiKey, baseURL: world.baseURL, fetch: world.fetch });
    const flaky = new Parley({ apiKey, baseURL: world.baseURL, fetch: cutting });
    const { id } = await parley.runs.createAndWait(DEBATE);
    const events = await Array.fromAsync(flaky.runs.events(id));
    expect(cuts).toBe(20);
    expect(events).toEqual(await parley.runs.listEvents(id).all());
  }, 60_000);

  it("waits as long as a 429 says, and gives up after maxRetries", async () => {
    const times: number[] = [];
    const limited =
      (refusals: number): Fetch =>
      async (url, init) => {
        times.push(Date.now());
        if (times.length > refusals) return world.fetch(url, init);
        const body = JSON.stringify({ status: 429, code: "rate_limited", detail: "too many" });
        return new Response(body, { status: 429, headers: { "Retry-After": "1", "X-Request-Id": "req_1" } });
      };
    const parley = await client(limited(2));
    await parley.tenant.get();
    expect(times).toHaveLength(3);
    expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(990);
    expect(times[2]! - times[1]!).toBeGreaterThanOrEqual(990);

    times.length = 0;
    const error = await (await client(limited(9))).tenant.get({ maxRetries: 1 }).catch((thrown: unknown) => thrown);
    expect(times).toHaveLength(2);
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ status: 429, code: "rate_limited", requestId: "req_1", retryAfter: 1 });
  });

  it("repeats 408, 409 idempotency_key_in_flight and 5xx, and no other refusal", async () => {
    const answer = async (status: number, code: string) => {
      let requests = 0;
      const once: Fetch = async (url, init) => {
        if ((requests += 1) > 1) return world.fetch(url, init);
        return new Response(JSON.stringify({ status, code, detail: "" }), { status, headers: { "Retry-After": "0" } });
      };
      const parley = await client(once);
      await parley.corpora.create({ name: "Laws" }).catch(() => undefined);
      return requests;
    };
    const twice: [number, string][] = [
      [408, ""],
      [409, "idempotency_key_in_flight"],
      [500, "internal_error"],
      [503, "storage_unavailable"],
    ];
    for (const [status, code] of twice) expect([status, await answer(status, code)]).toEqual([status, 2]);
    for (const [status, code] of [
      [400, ""],
      [409, "wrong_state"],
      [422, "validation_failed"],
    ] as const)
      expect([status, await answer(status, code)]).toEqual([status, 1]);
  });

  it("reports a request without an answer as a ConnectionError, with its cause", async () => {
    const parley = await client(async () => Promise.reject(cut()));
    const error = await parley.health({ maxRetries: 0 }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConnectionError);
    expect((error as Error).message).toContain("the connection was cut");
  });

  it("ends an attempt after its timeout", async () => {
    const silent: Fetch = (_url, { signal }) =>
      new Promise((_resolve, reject) => signal!.addEventListener("abort", () => reject(signal!.reason)));
    const parley = await client(silent);
    await expect(parley.health({ maxRetries: 0, timeout: 50 })).rejects.toMatchObject({ name: "TimeoutError" });
  });

  it("names every error of a request in its error", async () => {
    const parley = await client();
    const body = { ...DEBATE, options: { rounds: -1, topology: "never" } } as unknown as typeof DEBATE;
    const error = await parley.runs.create(body).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ValidationError);
    const { code, errors, requestId } = error as ValidationError;
    expect(code).toBe("validation_failed");
    expect(errors.map(({ path }) => path)).toEqual(["options.rounds", "options.topology"]);
    expect(requestId).toMatch(/./);
  });

  it("reads a list page by page", async () => {
    const parley = await client();
    const made: string[] = [];
    for (const name of ["A", "B", "C"]) made.unshift((await parley.corpora.create({ name })).id);
    const page = await parley.corpora.list({ limit: 2 }).page();
    expect(page.data).toHaveLength(2);
    expect(page.next_cursor).not.toBeNull();
    const ids: string[] = [];
    for await (const { id } of parley.corpora.list({ limit: 2 })) {
      ids.push(id);
      if (ids.length === 3) break;
    }
    expect(ids).toEqual(made);
  });

  it("uploads documents from a generator and from a stream of bytes, and reports its progress", async () => {
    const parley = await client();
    const corpus = await parley.corpora.create({ name: "Laws" });
    function* documents() {
      for (let n = 1; n <= 1005; n++)
        yield {
          source: `Law ${n}`,
          text: n === 1003 ? "" : `Paragraph ${n} is about tenants.`,
          external_id: String(n),
        };
    }
    const sent: number[] = [];
    const result = await parley.corpora.upload(corpus.id, documents(), {
      onProgress: (progress) => void sent.push(progress.sent),
    });
    expect(result).toMatchObject({ sent: 1005, added: 1004, invalid: 1, ready: 1004 });
    expect(result.errors).toMatchObject([{ line: 1003, errors: [{ path: "text" }] }]);
    expect(sent.slice(0, 2)).toEqual([1000, 1005]);

    const text = '{"source":"A","text":"é"}\n{"source":"B","text":"two"}';
    const bytes = new TextEncoder().encode(text);
    const stream = new Blob([bytes.slice(0, 22), bytes.slice(22)]).stream();
    expect(await parley.corpora.upload(corpus.id, stream)).toMatchObject({ sent: 2, added: 2, invalid: 0 });
  });

  it("uploads a data set, closes it, and exports what was uploaded", async () => {
    const parley = await client();
    const items = ["one", "two"].map((id) => ({ id, input: { requirement: `A shop sells ${id}` } }));
    const dataset = await parley.datasets.upload({ name: "Shops", workflow: "waterfall" }, items);
    expect(dataset).toMatchObject({ status: "closed", items: 2 });
    expect((await Array.fromAsync(parley.datasets.export(dataset.id))).map(({ id }) => id)).toEqual(["one", "two"]);
    const lines = await Array.fromAsync(parley.tenant.export());
    expect(lines.filter(({ type, data }) => type === "dataset" && data.id === dataset.id)).toHaveLength(1);
  });
}
