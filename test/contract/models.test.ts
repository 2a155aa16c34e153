/** The models that runs may name, as their providers list them. */
import { createExecutionContext } from "cloudflare:test";
import { beforeAll, expect, it } from "vitest";
import { createApp } from "#api/http/app";
import { composeServices } from "#cloudflare/compose";
import { bindings, type Client, makeTenant } from "../support/parley";
import { api } from "./api";

let client: Client;
beforeAll(async () => {
  client = await makeTenant();
});

it("a test key sees the mock model, and no provider is asked", async () => {
  const { status, body } = await api("GET", "/v1/models", { key: client.test });
  expect(status).toBe(200);
  expect(body).toMatchObject({ data: [{ object: "model", model: "mock", shutdown_date: null }], unavailable: [] });
});

it("a live key sees each provider's models, and which providers do not tell theirs", async () => {
  const app = createApp<Env>(composeServices);
  const env = {
    ...bindings,
    OPENAI_BASE_URL: String(bindings.OPENAI_BASE_URL).replace(/\/v1$/, "/listing/v1"),
    OPENAI_MODEL: "test-model",
    PROVIDERS: JSON.stringify({
      openai: { models: { "test-model": { price: { input: 1, output: 5 } } } },
      nowhere: { base_url: "http://127.0.0.1:9/v1" },
    }),
  } as Env;
  const request = new Request("http://parley.test/v1/models", { headers: { authorization: `Bearer ${client.live}` } });
  const response = await app.fetch(request, env, createExecutionContext());
  expect(await response.json()).toEqual({
    data: [
      { object: "model", model: "openai/other-model", default: false, shutdown_date: "2026-12-11", price: null },
      {
        object: "model",
        model: "openai/test-model",
        default: true,
        shutdown_date: null,
        price: { input: 1, cached_input: null, output: 5, reasoning: null },
      },
    ],
    unavailable: [{ provider: "nowhere", reason: "Its models could not be read." }],
    next_cursor: null,
  });
});
