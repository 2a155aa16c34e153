/** Subscriptions of a modern MCP client: it hears that a run and its artifacts have changed, of its own runs only. */
import { exports } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { newId } from "#core/ids";
import { connectMcp, modern, postMcp } from "../support/mcp-client";
import { call, type Client, makeTenant, openInteraction, start, until } from "../support/parley";

const send = ((input: RequestInfo, init?: RequestInit) =>
  (exports as any).default.fetch(new Request(input, init))) as typeof fetch;
const url = "http://parley.test";

let tenant: Client;
let run: string;
beforeEach(async () => {
  tenant = await makeTenant();
  run = await start(tenant.test, { options: { reviews: ["requirement_draft"], qa_rounds: 0 } });
});
const approve = async () => {
  const { id } = await openInteraction(tenant.test, run);
  await call("POST", `/v1/interactions/${id}/answer`, { key: tenant.test, body: { decision: "approve" } });
};

it("the official client hears of changes until the run has ended, and the subscription then ends gracefully", async () => {
  await openInteraction(tenant.test, run);
  const client = await connectMcp({ url, key: tenant.test, fetch: send });
  const heard: string[] = [];
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => void heard.push(params.uri));
  const uris = [`parley://runs/${run}`, `parley://runs/${run}/artifacts`];
  const subscription = await client.listen({ resourceSubscriptions: uris });
  expect(subscription.honoredFilter).toEqual({ resourceSubscriptions: uris });
  await approve();
  expect(await subscription.closed).toBe("graceful");
  expect(new Set(heard)).toEqual(new Set(uris));
  await until(
    "the end",
    async () => (await call("GET", `/v1/runs/${run}`, { key: tenant.test })).body.status === "completed",
  );
});

it.each(["another tenant", "the other mode"])(
  "hears nothing as %s, of no unknown run, and of no artifact",
  async (who) => {
    const key = who === "the other mode" ? tenant.live : (await makeTenant()).test;
    const stranger = await connectMcp({ url, key, fetch: send });
    const unknown = newId("run");
    const wanted = [
      `parley://runs/${run}`,
      `parley://runs/${unknown}`,
      `parley://runs/${run}/artifacts/art_1`,
      "file:///etc",
    ];
    const subscription = await stranger.listen({ resourceSubscriptions: wanted });
    expect(subscription.honoredFilter).toEqual({});
    expect(await subscription.closed).toBe("graceful");
  },
);

it("follows ten runs at most, and a legacy client has no subscriptions", async () => {
  const resourceSubscriptions = Array.from({ length: 11 }, () => `parley://runs/${newId("run")}`);
  const ask = (notifications: unknown) =>
    postMcp({ url, key: tenant.test, fetch: send }, modern("subscriptions/listen", { notifications }));
  expect((await ask({ resourceSubscriptions })).error).toMatchObject({ code: -32602 });
  expect((await ask({ resourceSubscriptions: "all" })).error).toMatchObject({ code: -32602 });
  expect((await ask(undefined)).error).toMatchObject({ code: -32602 });
  const legacy = await connectMcp({ url, key: tenant.test, fetch: send, era: "legacy" });
  expect(legacy.getServerCapabilities()?.resources).not.toHaveProperty("subscribe");
  const modernClient = await connectMcp({ url, key: tenant.test, fetch: send });
  expect(modernClient.getServerCapabilities()?.resources).toMatchObject({ subscribe: true });
});
