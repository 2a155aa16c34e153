import { expect, it } from "vitest";
import { acquirePermit, type ProviderGates } from "#llm/limits/acquire-permit";

it("a release that is lost once is sent again, so that the provider stays open for others", async () => {
  const released: string[] = [];
  let losses = 1;
  const gates: ProviderGates = {
    acquire: async () => "permit",
    release: async (provider) => {
      if (losses-- > 0) throw new Error("Network connection lost.");
      released.push(provider);
    },
    releaseAll: async () => {},
  };
  const limits = { max_concurrency: 1, requests_per_minute: null, tokens_per_minute: null };
  const ticket = { id: "run_1-e1/step", run: "run_1", tenant: "ten_1", lease_ms: 180_000, tokens: 1 };
  const permit = await acquirePermit(gates, { provider: "narrow", limits }, ticket, async () => {});
  permit.release({ closed_for_ms: 0, tokens: 1 });
  await expect.poll(() => released).toEqual(["narrow"]);
});
