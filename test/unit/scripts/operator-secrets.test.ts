/** `npm run operator -- secrets` names what is still sealed under each PARLEY_SECRET. */
import type { DatabaseSync } from "node:sqlite";
import { afterEach, expect, it, vi } from "vitest";
import { addAgent, addEndpoint, migratedDatabase } from "../../support/database";
import { showSecrets } from "../../../scripts/operator/secrets.ts";

afterEach(() => void vi.restoreAllMocks());

async function shown(database: DatabaseSync): Promise<string> {
  const write = vi.spyOn(process.stdout, "write").mockImplementation(() => true);
  await showSecrets({ query: async (sql: string) => database.prepare(sql).all() });
  const text = write.mock.calls.map(([part]) => part).join("");
  write.mockRestore();
  return text;
}

it("before the maintenance worker's first round", async () => {
  expect(await shown(migratedDatabase())).toMatch(/None\.[^]*No maintenance pass has run yet/);
});

it("by key: in use, valid until a date, expired or not set any more", async () => {
  const database = migratedDatabase();
  addEndpoint(database, "whe_1", "v1.aaaaaaaa.AAAA", "v1.bbbbbbbb.AAAA");
  addEndpoint(database, "whe_2", "v1.cccccccc.AAAA");
  addEndpoint(database, "whe_3", "v1.dddddddd.AAAA", null);
  addAgent(database, "agt_1", [{ sealed_headers: "v1.bbbbbbbb.AAAA" }, { sealed_headers: null }]);
  const keys = [
    { id: "aaaaaaaa", until: null },
    { id: "bbbbbbbb", until: Date.UTC(2999, 0, 31) },
    { id: "cccccccc", until: Date.UTC(2020, 0, 31) },
  ];
  database
    .prepare("INSERT INTO resealing (id, keys, position, unreadable, completed_at) VALUES (1, ?, NULL, ?, 1)")
    .run(JSON.stringify(keys), JSON.stringify({ webhook_endpoints: 2 }));
  const text = (await shown(database)).replace(/ {2,}/g, "  ");
  expect(text).toContain("aaaaaaaa  in use  1 secrets of webhook endpoints");
  expect(text).toMatch(/bbbbbbbb {2}valid until 2999-01-31 00:00 {2}.*1 headers of MCP servers/);
  expect(text).toContain("cccccccc  expired 2020-01-31 00:00  1 secrets of webhook endpoints");
  expect(text).toContain("dddddddd  not set  1 secrets of webhook endpoints");
  expect(text).toContain("except what no secret opens: 2 in webhook_endpoints");
});
