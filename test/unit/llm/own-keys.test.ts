import { expect, test } from "vitest";
import type { Owner } from "#core/owner";
import { createLlm, type GatedProvider, LlmError, markdownFormat, parseProviders } from "#llm";

const OWN = "sk-own-0123456789";
const providers = parseProviders({
  PROVIDERS: JSON.stringify({
    fake: { base_url: "http://fake.test/v1", api_key: "sk-host-0123456789", max_concurrency: 2 },
  }),
});
const rich: Owner = { tenant_id: "ten_rich", mode: "live" };
const poor: Owner = { tenant_id: "ten_poor", mode: "live" };

/** Asks a fake provider on behalf of an owner; returns what the provider and its gate saw. */
async function ask(owner: Owner | undefined, status = 200) {
  const seen: { authorization: string | null; gate: string | null } = { authorization: null, gate: null };
  const llm = createLlm({
    providers,
    memory: { recall: async () => null, remember: async () => {} },
    keys: { of: async ({ tenant_id }) => (tenant_id === rich.tenant_id ? OWN : null) },
    fetch: async (_url, init) => {
      seen.authorization = new Headers(init?.headers).get("authorization");
      const answer = { choices: [{ finish_reason: "stop", message: { content: "Yes." } }] };
      const body = status === 200 ? answer : { error: { message: `The key ${OWN} is wrong.` } };
      return Response.json(body, { status });
    },
  });
  const call = {
    model: { model: "fake/m" },
    system: "S",
    user: "U",
    output: markdownFormat(),
    labels: { run: "r", step: "a" },
    timeout_ms: 1000,
    acquirePermit: async (gate: GatedProvider) => {
      seen.gate = gate.provider;
      return { release: () => {} };
    },
    ...(owner ? { owner } : {}),
  };
  const error = await llm.complete(call).then(
    () => null,
    (reason: unknown) => reason as LlmError,
  );
  return { ...seen, error };
}

test("a call of an owner with a key uses it, and queues apart from the host's calls", async () => {
  expect(await ask(rich)).toEqual({ authorization: `Bearer ${OWN}`, gate: "fake@ten_rich", error: null });
});

test.each([undefined, poor])("a call of any other (%o) uses the host's key and queue", async (owner) => {
  expect(await ask(owner)).toEqual({ authorization: "Bearer sk-host-0123456789", gate: "fake", error: null });
});

test("a refused own key is named as such, and never shown", async () => {
  const { error } = await ask(rich, 401);
  expect(error!.options.retryable).toBe(false);
  expect(error!.message).toContain("the one that the tenant has brought");
  expect(error!.message).not.toContain(OWN);
});
