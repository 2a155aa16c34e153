/** JSON that is nested thousands of levels deep is refused at every door: what walks it recursively would run out of stack. */
import { beforeAll, expect, it, test } from "vitest";
import { call, type Client, makeTenant } from "../support/parley";
import { BROWSER } from "./page";
import { askEverything, callbackPath, waitingRun } from "./questions";

const DEEP = `${"[".repeat(5000)}${"]".repeat(5000)}`;

let client: Client;
beforeAll(async () => {
  client = await makeTenant();
});

test.each([
  [
    "/mcp",
    400,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_run","arguments":{"run_id":${DEEP}}}}`,
  ],
  ["/a2a", 200, `{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":${DEEP}}}`],
] as const)("in a message to %s", async (path, status, body) => {
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const reply = await call("POST", path, { key: client.test, body, headers });
  expect(reply.status).toBe(status);
  expect(JSON.stringify(reply.body)).toContain("200 levels deep");
});

it.each(["application/json", BROWSER])("in a field of a form, by a client that wants %s", async (accept) => {
  const path = await callbackPath(client, await askEverything(await waitingRun(client)));
  const body = new URLSearchParams({ answers: DEEP }).toString();
  const headers = { accept, "content-type": "application/x-www-form-urlencoded" };
  const reply = await call("POST", path, { body, headers });
  expect(reply.status).toBe(422);
  expect(JSON.stringify(reply.body)).toContain("200 levels deep");
});
