/** To whom a deployment sends mail, and how much of it. */
import { createExecutionContext } from "cloudflare:test";
import { beforeAll, expect, it } from "vitest";
import { composeServices } from "#cloudflare/compose";
import { createApp } from "#api/http/app";
import { readMailSettings } from "#services/mail-settings";
import { attempt } from "#services/webhooks/delivery/attempt";
import { requestOf } from "#services/webhooks/delivery/request";
import { bindings, call, type Client, makeTenant, openInteraction, start } from "../support/parley";
import { api, refusal } from "./api";

let client: Client;
beforeAll(async () => {
  client = await makeTenant();
});

const app = createApp<Env>(composeServices);
async function ask(variables: Partial<Env>, method: string, path: string, body: object) {
  const headers = { authorization: `Bearer ${client.test}`, "content-type": "application/json" };
  const request = new Request(`http://parley.test${path}`, { method, headers, body: JSON.stringify(body) });
  const response = await app.fetch(request, { ...bindings, ...variables } as Env, createExecutionContext());
  return { status: response.status, body: (await response.json()) as any };
}

const endpoint = (variables: Partial<Env>, address: string) =>
  ask(variables, "POST", "/v1/webhook-endpoints", { kind: "email", url: `mailto:${address}` });

it("goes to the sender's domain, or to those that EMAIL_ALLOWED_DOMAINS names", async () => {
  for (const [domains, address, status] of [
    [undefined, "a@example.com", 201],
    [undefined, "a@EXAMPLE.com", 201],
    [undefined, "a@sub.example.com", 422],
    [undefined, "a@example.com.evil.example", 422],
    ["*.example.org, example.net", "a@x.y.example.org", 201],
    ["*.example.org, example.net", "a@example.org", 422],
    ["*.example.org, example.net", "a@example.net", 201],
    ["*.example.org, example.net", "a@example.com", 422],
    ["*", "a@anywhere.example", 201],
  ] as const)
    expect((await endpoint({ EMAIL_ALLOWED_DOMAINS: domains }, address)).status, `${domains} ${address}`).toBe(status);
});

it("goes to no other address by a change of the endpoint, nor by a reassigned question", async () => {
  const { body } = await endpoint({}, "a@example.com");
  const change = { url: "mailto:a@stranger.example" };
  expect(await api("PATCH", `/v1/webhook-endpoints/${body.id}`, { key: client.test, body: change })).toMatchObject(
    refusal(422, "validation_failed", "url"),
  );
  const run = await start(client.test, { options: { reviews: ["requirement_draft"], qa_rounds: 0 } });
  const { id } = await openInteraction(client.test, run);
  const reassign = (email: string) =>
    api("POST", `/v1/interactions/${id}/reassign`, { key: client.test, body: { email } });
  expect(await reassign("a@stranger.example")).toMatchObject(refusal(422, "validation_failed", "email"));
  expect((await reassign("b@example.com")).status).toBe(200);
  await call("POST", `/v1/runs/${run}/cancel`, { key: client.test });
});

it("is off in test mode unless the operator switches it on", async () => {
  const { status, body } = await endpoint({ EMAIL_IN_TEST_MODE: "false" }, "a@example.com");
  expect(status).toBe(422);
  expect(body.errors).toEqual([expect.objectContaining({ path: "kind", code: "not_configured" })]);
});

it("to an address that is no longer allowed fails with the reason, and a relay in a private network is called", async () => {
  const ping = { id: "msg_1", type: "webhook.ping", created_at: 0, data: '{"endpoint":{"id":"whe_1","run_id":null}}' };
  const message = { delivery: { event_id: "msg_1", round_began_at: 0 }, content: { is: "message", message: ping } };
  const to = (address: string, vars: Record<string, string>) =>
    attempt(
      requestOf(
        {
          settings: { mail: readMailSettings(vars), public_url: null, version: "1" },
          platform: {},
          secrets: {},
        } as never,
        { id: "whe_1", kind: "email", mode: "live", url: `mailto:${address}` } as never,
        message as never,
      ),
      { allow_private: false, resolver_url: "http://127.0.0.1:9" },
    );
  const relay = { EMAIL_FROM: "p@example.com", EMAIL_API_TOKEN: "t", EMAIL_API_URL: "http://127.0.0.1:9/send" };
  expect((await to("a@stranger.example", relay)).error).toMatch(/sends no mail to stranger\.example/);
  expect((await to("a@example.com", relay)).error).not.toMatch(/The URL was not called/);
});

it("by SMTP needs a sender, and no second way", () => {
  const SMTP_URL = "smtp://mail.internal:25";
  expect(() => readMailSettings({ SMTP_URL })).toThrow("SMTP_URL needs EMAIL_FROM");
  const both = { SMTP_URL, EMAIL_FROM: "p@example.com", EMAIL_API_TOKEN: "t" };
  expect(() => readMailSettings(both)).toThrow("two ways to send mail");
  expect(readMailSettings({ SMTP_URL, EMAIL_FROM: "Parley <p@Example.com>" }).domains).toEqual(["example.com"]);
});
