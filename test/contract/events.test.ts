/** Events as pages and as a stream: the same ones, in the same order, from any position. */
import { createExecutionContext } from "cloudflare:test";
import { exports } from "cloudflare:workers";
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { beforeAll, describe, expect, it } from "vitest";
import { composeServices } from "#cloudflare/compose";
import { createApp } from "#api/http/app";
import { newId } from "#core/ids";
import { hashKey } from "#services/keys/make-key";
import { encodeEvent } from "#services/fields/present-event";
import { STREAM_TIMING, streamEvents } from "#services/runs/stream-events";
import {
  bindings,
  call,
  type Client,
  eventsOf,
  makeTenant,
  openInteraction,
  runWithStatus,
  start,
} from "../support/parley";
import { api, refusal } from "./api";
import { waitingRun } from "./questions";

let client: Client;
let run: string;
let all: any[];

beforeAll(async () => {
  client = await makeTenant();
  run = await start(client.test, {});
  await runWithStatus(client.test, run, "completed");
  all = await eventsOf(client.test, run);
});

const page = (query: string) => api("GET", `/v1/runs/${run}/events?${query}`, { key: client.test });

describe("pages", () => {
  it("number the events from 1 without a gap, from creation to end", async () => {
    expect(all.map((event) => event.seq)).toEqual(all.map((_, index) => index + 1));
    expect(all[0]).toMatchObject({ type: "run.created", run_id: run });
    expect(all.at(-1)).toMatchObject({ type: "run.completed", data: { status: "completed" } });
  });

  it("continue by cursor, and by after", async () => {
    const first = (await page("limit=5")).body;
    expect(first.data).toEqual(all.slice(0, 5));
    expect((await page(`limit=5&cursor=${first.next_cursor}`)).body.data).toEqual(all.slice(5, 10));
    expect((await page("limit=5&after=5")).body.data).toEqual(all.slice(5, 10));
    expect((await page(`after=${all.length}`)).body).toEqual({ data: [], next_cursor: null });
  });

  it("refuse an invalid position", async () => {
    for (const after of ["-1", "x", "1.5", "99999999999"])
      expect(await page(`after=${after}`), after).toMatchObject(refusal(400, "invalid_query", "after"));
    const { next_cursor } = (await page("limit=1")).body;
    expect(await page(`after=1&cursor=${next_cursor}`)).toMatchObject(refusal(400, "invalid_query", "after"));
  });
});

const keyRow = async (key: string) => (await composeServices(bindings).store.keys.byHash(hashKey(key)))!;

/** A stream that is read as it arrives. */
async function follow(id: string, headers: Record<string, string> = {}, query = "") {
  const response: Response = await (exports as any).default.fetch(`http://parley.test/v1/runs/${id}/events${query}`, {
    headers: { authorization: `Bearer ${client.test}`, accept: "text/event-stream", ...headers },
  });
  const messages: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => void messages.push(message) });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const read = async () => {
    const { done, value } = await reader.read();
    if (value) parser.feed(value);
    return !done;
  };
  return {
    response,
    messages,
    untilType: async (type: string) => {
      while (!messages.some((message) => message.event === type) && (await read()));
    },
    toEnd: async () => {
      while (await read());
    },
    leave: () => reader.cancel(),
  };
}
const seqs = (messages: EventSourceMessage[]) => messages.map((message) => Number(message.id));

describe("a stream", () => {
  it("of a finished run sends all its events and closes", async () => {
    const stream = await follow(run);
    expect(stream.response.headers.get("content-type")).toBe("text/event-stream");
    expect(stream.response.headers.get("x-request-id")).toBeTruthy();
    await stream.toEnd();
    expect(stream.messages.map((message) => JSON.parse(message.data))).toEqual(all);
    expect(stream.messages.map((message) => message.event)).toEqual(all.map((event) => event.type));
    expect(seqs(stream.messages)).toEqual(all.map((event) => event.seq));
  });

  it("follows the run to its end, also over a wait for a person", async () => {
    const id = await start(client.test, { options: { reviews: ["requirement_draft"], qa_rounds: 0 } });
    const stream = await follow(id);
    await stream.untilType("run.input_required");
    const interaction = await openInteraction(client.test, id);
    await call("POST", `/v1/interactions/${interaction.id}/answer`, {
      key: client.test,
      body: { decision: "approve" },
    });
    await stream.toEnd();
    expect(stream.messages.map((message) => JSON.parse(message.data))).toEqual(await eventsOf(client.test, id));
    expect(stream.messages.at(-1)!.event).toBe("run.completed");
  });

  it("resumes by Last-Event-ID or by after", async () => {
    const headed = await follow(run, { "last-event-id": "7" });
    await headed.toEnd();
    expect(seqs(headed.messages)).toEqual(all.slice(7).map((event) => event.seq));
    const asked = await follow(run, {}, "?after=7");
    await asked.toEnd();
    expect(asked.messages).toEqual(headed.messages);
    const reconnected = await follow(run, { "last-event-id": "9" }, "?after=7");
    await reconnected.toEnd();
    expect(seqs(reconnected.messages)[0]).toBe(10);
  });

  it("that is closed and resumed misses nothing and repeats nothing", async () => {
    const id = await start(client.test, { test: { latency_ms: 20 } });
    const seen: number[] = [];
    for (let last = "0"; ;) {
      const stream = await follow(id, { "last-event-id": last });
      await stream.untilType(seen.length < 4 ? "run.artifact_created" : "run.completed");
      seen.push(...seqs(stream.messages));
      last = String(seen.at(-1));
      await stream.leave();
      if (stream.messages.at(-1)?.event === "run.completed") break;
    }
    expect(seen).toEqual((await eventsOf(client.test, id)).map((event) => event.seq));
  });

  it("continues after an end that a retry has undone", async () => {
    const id = await start(client.test, { options: { human_stakeholder: true } });
    await runWithStatus(client.test, id, "input_required");
    await call("POST", `/v1/runs/${id}/cancel`, { key: client.test });
    await call("POST", `/v1/runs/${id}/retry`, { key: client.test });
    await runWithStatus(client.test, id, "input_required");
    await call("POST", `/v1/runs/${id}/cancel`, { key: client.test });
    const stream = await follow(id);
    await stream.toEnd();
    expect(stream.messages.filter((message) => message.event === "run.canceled")).toHaveLength(2);
    expect(stream.messages.at(-1)!.event).toBe("run.canceled");
  });

  it("after the last event of a finished run closes at once", async () => {
    const stream = await follow(run, { "last-event-id": String(all.length) });
    await stream.toEnd();
    expect(stream.messages).toEqual([]);
  });

  it("is refused with a problem before it begins", async () => {
    const headers = { accept: "text/event-stream" };
    expect(await api("GET", `/v1/runs/${newId("run")}/events`, { key: client.test, headers })).toMatchObject(
      refusal(404, "not_found"),
    );
    const wrong = await api("GET", `/v1/runs/${run}/events`, {
      key: client.test,
      headers: { ...headers, "last-event-id": "evt_1" },
    });
    expect(wrong).toMatchObject(refusal(400, "invalid_query", "Last-Event-ID"));
  });
});

describe("a stream without events", () => {
  let waiting: string;
  let last: number;

  beforeAll(async () => {
    waiting = await waitingRun(client);
    last = (await eventsOf(client.test, waiting)).length;
  });

  it("sends heartbeats, and closes after ten minutes so that the client reconnects", async () => {
    const pace = Object.fromEntries(
      Object.entries(STREAM_TIMING).map(([name, ms]) => [name, ms / 100]),
    ) as typeof STREAM_TIMING;
    const begun = Date.now();
    const seen: { is: string; at: number }[] = [];
    const gone = new AbortController();
    const items = await streamEvents(composeServices(bindings), {
      key: await keyRow(client.test),
      run: waiting,
      after: last,
      signal: gone.signal,
      pace,
    });
    for await (const { is } of items) seen.push({ is, at: (Date.now() - begun) * 100 });
    expect(seen.at(-1)!.is).toBe("reconnect");
    expect(seen.at(-1)!.at).toBeGreaterThanOrEqual(10 * 60_000);
    const beats = seen.slice(0, -1);
    expect(beats.length).toBeGreaterThan(10);
    expect(new Set(beats.map((item) => item.is))).toEqual(new Set(["heartbeat"]));
  });

  it("closes before the limit of calls of a request, also when each answer of the feed has an event", async () => {
    const services = composeServices(bindings);
    const event = encodeEvent((await services.store.events.after(waiting, 0, 1))[0]!);
    const busy: typeof services.platform.nextUpdate = async (_run, { after }) => ({
      events: [{ ...event, seq: after + 1 }],
      calls: null,
    });
    const items = await streamEvents(
      { ...services, platform: { ...services.platform, nextUpdate: busy } },
      { key: await keyRow(client.test), run: waiting, after: last, signal: new AbortController().signal },
    );
    const seen: string[] = [];
    for await (const { is } of items) if (seen.push(is) === 1000) break;
    expect(seen.at(-1)).toBe("reconnect");
    expect(new Set(seen.slice(0, -1))).toEqual(new Set(["events"]));
  });

  it("is kept open over HTTP by comments, and ends with `retry:`", async () => {
    const pace = { ...STREAM_TIMING };
    Object.assign(STREAM_TIMING, {
      heartbeat_every_ms: 20,
      longest_stream_ms: 300,
    });
    try {
      const request = new Request(`http://parley.test/v1/runs/${waiting}/events?after=${last}`, {
        headers: { authorization: `Bearer ${client.test}`, accept: "text/event-stream" },
      });
      const response = await createApp<Env>(composeServices).fetch(request, bindings, createExecutionContext());
      const blocks = (await response.text()).split("\n\n").filter(Boolean);
      expect(blocks.at(-1)).toMatch(/^retry: \d+$/);
      expect(new Set(blocks.slice(0, -1))).toEqual(new Set([": still here"]));
    } finally {
      Object.assign(STREAM_TIMING, pace);
    }
  });

  it("ends at once when its client disconnects", async () => {
    const gone = new AbortController();
    const items = await streamEvents(composeServices(bindings), {
      key: await keyRow(client.test),
      run: waiting,
      after: last,
      signal: gone.signal,
    });
    const next = items.next();
    await scheduler.wait(300); // by now it waits between two polls
    const left = Date.now();
    gone.abort();
    expect(await next).toEqual({ done: true, value: undefined });
    expect(Date.now() - left).toBeLessThan(100);
  });
});
