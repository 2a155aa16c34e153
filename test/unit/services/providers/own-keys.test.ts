import { expect, it } from "vitest";
import { Secrets } from "#core/secrets";
import { ownKeys, sealContextOfKey } from "#services/providers/own-keys";
import type { ProviderKeyRow } from "#store/rows";

const owner = { tenant_id: "ten_1", mode: "live" as const };
const secrets = new Secrets("a secret for tests that is long enough");

/** The keys of a store that holds one, and how often it was read. */
function keysOver(tenant_provider_keys: "off" | "allowed" | "required") {
  const plain = { ...owner, id: "ten_1/live/openai", provider: "openai", hint: "1234", created_at: 0 };
  const row: ProviderKeyRow = { ...plain, sealed: secrets.seal("sk-1234", sealContextOfKey(plain)) };
  const seen = { reads: 0 };
  const get = async () => (seen.reads++, row);
  const store = { providerKeys: { get } } as unknown as Parameters<typeof ownKeys>[0];
  return { keys: ownKeys(store, secrets, { tenant_provider_keys }), seen };
}

it("the key of an owner is read at each call", async () => {
  const { keys, seen } = keysOver("allowed");
  expect(await keys.of(owner, "openai")).toBe("sk-1234");
  expect(await keys.of({ ...owner, has_no_keys: false }, "openai")).toBe("sk-1234");
  expect(seen.reads).toBe(2);
});

it("nothing is read for an owner who is known to have no key", async () => {
  const { keys, seen } = keysOver("allowed");
  expect(await keys.of({ ...owner, has_no_keys: true }, "openai")).toBeNull();
  expect(seen.reads).toBe(0);
});

it("a host that lends its key to nobody looks again before it refuses", async () => {
  const { keys } = keysOver("required");
  expect(await keys.of({ ...owner, has_no_keys: true }, "openai")).toBe("sk-1234");
});
