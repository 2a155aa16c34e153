/** The live feed: a commit wakes the streams that follow its run. */
import { createExecutionContext } from "cloudflare:test";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createApp } from "#api/http/app";
import { composeServices } from "#cloudflare/compose";
import { STREAM_TIMING } from "#services/runs/stream-events";
import { type Decide, withFaults } from "../support/faults";
import { bindings, type Client, eventsOf, makeTenant, start, until } from "../support/parley";
import { waitingRun } from "./questions";

/** Longer than the tests may take. */
const NEVER = 10 * 60_000;
const usual = { ...STREAM_TIMING };
let client: Client;

beforeEach(async () => {
  Object.assign(STREAM_TIMING, { heartbeat_every_ms: NEVER });
  client = await makeTenant();
});
afterEach(() => void Object.assign(STREAM_TIMING, usual));

/** A request whose calls across the platform's edge fail as `decide` says. */
const send = (path: string, init: RequestInit = {}, decide: Decide = () => "ok") => {
  const request = new Request(`http://parley.test${path}`, {
    ...init,
    headers: { authorization: `Bearer ${client.test}`, ...init.headers },
  });
  const app = createApp<Env>(composeServices);
  return app.fetch(request, withFaults(bindings as Env, decide), createExecutionContext());
};

/** A stream, and its blocks so far. */
async function follow(path: string, decide?: Decide) {
  const response = await send(path, { headers: { accept: "text/event-stream" } }, decide);
  expect(response.status).toBe(200);
  const blocks: string[] = [];
  const ended = (async () => {
    let rest = "";
    for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
      const parts = (rest + text).split("\n\n");
      rest = parts.pop()!;
      blocks.push(...parts);
    }
  })();
  return { blocks, ended };
}

const typesOf = (blocks: string[]) => blocks.map((block) => /^event: (.*)$/m.exec(block)?.[1]);
const idsOf = (blocks: string[]) => blocks.flatMap((block) => /^id: (\d+)$/m.exec(block)?.[1] ?? []).map(Number);

it("sends each event of a run that is run and then canceled, without a heartbeat between", async () => {
  const run = await start(client.test, { options: { human_stakeholder: true }, test: { latency_ms: 30 } });
  const { blocks, ended } = await follow(`/v1/runs/${run}/events`);
  await until("the run asks", async () => typesOf(blocks).includes("run.input_required"));
  expect((await send(`/v1/runs/${run}/pause`, { method: "POST" })).status).toBe(200);
  await until("the stream shows the pause", async () => typesOf(blocks).includes("run.paused"));
  expect((await send(`/v1/runs/${run}/cancel`, { method: "POST" })).status).toBe(200);
  await ended;
  expect(typesOf(blocks).at(-1)).toBe("run.canceled");
  expect(idsOf(blocks)).toEqual((await eventsOf(client.test, run)).map(({ seq }) => seq));
});

it("ends a stream with the run", async () => {
  const run = await start(client.test, {});
  const { blocks, ended } = await follow(`/v1/runs/${run}/events`);
  await ended;
  expect(typesOf(blocks).at(-1)).toBe("run.completed");
  expect(idsOf(blocks)).toEqual((await eventsOf(client.test, run)).map(({ seq }) => seq));
});

it("makes no call to D1 while nothing happens", async () => {
  const run = await waitingRun(client);
  const last = (await eventsOf(client.test, run)).length;
  let statements = 0;
  const { blocks, ended } = await follow(`/v1/runs/${run}/events?after=${last}`, ({ binding }) => {
    if (binding === "DB") statements++;
    return "ok";
  });
  const opened = statements;
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(statements).toBe(opened);
  await send(`/v1/runs/${run}/cancel`, { method: "POST" });
  await ended;
  expect(typesOf(blocks)).toEqual(["run.canceled"]);
});

it("loses no event when the announcement is lost: the stream looks at its next heartbeats", async () => {
  Object.assign(STREAM_TIMING, { heartbeat_every_ms: 300 });
  const run = await waitingRun(client);
  const last = (await eventsOf(client.test, run)).length;
  const { blocks, ended } = await follow(`/v1/runs/${run}/events?after=${last}`);
  const lost: Decide = ({ binding }) => (binding === "FEEDS" ? "before" : "ok");
  expect((await send(`/v1/runs/${run}/pause`, { method: "POST" }, lost)).status).toBe(200);
  await until("the stream shows the pause", async () => typesOf(blocks).includes("run.paused"));
  expect((await send(`/v1/runs/${run}/cancel`, { method: "POST" }, lost)).status).toBe(200);
  await ended;
  expect(typesOf(blocks).filter(Boolean)).toEqual(["run.paused", "run.canceled"]);
});

it("continues when the feed itself fails for a while", async () => {
  Object.assign(STREAM_TIMING, { feed_retry_ms: 20 });
  const run = await waitingRun(client);
  const last = (await eventsOf(client.test, run)).length;
  let failing = 3;
  const { blocks, ended } = await follow(`/v1/runs/${run}/events?after=${last}`, ({ binding }) =>
    binding === "FEEDS" && failing-- > 0 ? "before" : "ok",
  );
  await send(`/v1/runs/${run}/cancel`, { method: "POST" });
  await ended;
  expect(typesOf(blocks)).toEqual(["run.canceled"]);
});

it("shows the calls under way to a stream that asks for them, marked as not durable", async () => {
  const run = await start(client.test, { test: { latency_ms: 60 } });
  const { blocks, ended } = await follow(`/v1/runs/${run}/events?calls=true`);
  await ended;
  const shown = blocks.filter((block) => block.startsWith("event: stream.calls"));
  expect(shown.length).toBeGreaterThan(1);
  for (const block of shown) expect(block).not.toMatch(/^id:/m);
  const pictures = shown.map((block) => JSON.parse(/^data: (.*)$/m.exec(block)![1]!));
  for (const { durable } of pictures) expect(durable).toBe(false);
  const [call] = pictures.flatMap(({ calls }) => calls);
  expect(call).toEqual({
    step: expect.stringMatching(/^\w+\/\w+#/),
    role: expect.any(String),
    model: expect.any(String),
    since: expect.stringMatching(/Z$/),
  });
  expect(idsOf(blocks)).toEqual((await eventsOf(client.test, run)).map(({ seq }) => seq));
});
