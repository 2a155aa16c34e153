/** The database and the bucket contain no secret in the clear. */
import { expect, it } from "vitest";
import { bindings, call, hookUrl, makeTenant, openInteraction, start } from "../support/parley";
import { newAgent } from "./agent";
import { api } from "./api";

/** All rows of all our tables, and all objects, as text. */
async function everythingStored(): Promise<string> {
  const { results: tables } = await bindings.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%STRICT%'",
  ).all<{ name: string }>();
  const rows = await Promise.all(
    tables.map(async ({ name }) => [name, (await bindings.DB.prepare(`SELECT * FROM ${name}`).all()).results]),
  );
  const { objects } = await bindings.BUCKET.list();
  const texts = await Promise.all(objects.map(async ({ key }) => (await bindings.BUCKET.get(key))!.text()));
  return JSON.stringify([rows, texts]);
}

it("no key, webhook secret, MCP header, callback token or secret of ours is stored in the clear", async () => {
  const client = await makeTenant();
  const made = (await api("POST", "/v1/keys", { key: client.live, body: { name: "ci", mode: "live" } })).body.key;
  const header = "warehouse-hush-hush";
  const mcp_servers = [{ name: "shop", url: "https://mcp.example.com/mcp", headers: { authorization: header } }];
  await api("POST", "/v1/agents", { key: client.test, body: newAgent({ mcp_servers }) });
  const provider_key = "sk-of-the-tenant-0123456789";
  await api("PUT", "/v1/providers/openai/key", { key: client.live, body: { api_key: provider_key } });
  const secret = `whsec_${btoa("0123456789abcdef0123456789abcdef")}`;
  const id = await start(client.test, {
    options: { reviews: ["requirement_draft"], qa_rounds: 0 },
    webhook: { url: hookUrl("at-rest"), secret },
  });
  const other = await start(client.test, {
    options: { reviews: ["requirement_draft"], qa_rounds: 0 },
    webhook: { url: hookUrl("at-rest") },
  });
  const { callback_url } = await openInteraction(client.test, id);
  expect((await call("GET", new URL(callback_url).pathname)).status).toBe(200);
  await openInteraction(client.test, other);

  const stored = await everythingStored();
  expect(stored).toContain(id); // the search covers these contents
  const mac = callback_url.split(".").at(-1);
  const ours = [bindings.PARLEY_SECRET as string, bindings.OPENAI_API_KEY as string];
  for (const text of [client.test, client.live, made, header, provider_key, secret.slice(6), mac, ...ours])
    expect(stored.includes(text), text).toBe(false);
  expect(stored).not.toContain("whsec_");
});
