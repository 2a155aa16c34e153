import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "./pool.ts";
import { clientOf } from "../lib/client.ts";
import type { Json } from "../../scripts/lib/json.ts";

const AGENT = {
  name: "Counter",
  description: "Counts.",
  capabilities: ["Counts up"],
  when_to_use: "For whatever is to be counted.",
  input: "What to count.",
  output: "A number.",
  instructions: "You count.",
};

/**
 * Creates one resource of each kind, so that requests find something.
 * @param pool learns their ids
 */
export async function furnish(url: string, key: string, pool: Pool) {
  const api = clientOf(url, key);
  const learn = async (answer: Promise<Json>): Promise<Json> => {
    pool.learn(JSON.stringify(await answer));
    return answer;
  };
  const make = (path: string, body: object = {}) => learn(api.post(path, { body }));
  const upload = (path: string, item: object) => learn(api.post(path, { text: `${JSON.stringify(item)}\n` }));
  const run = (more: object) =>
    make("/v1/runs", { workflow: "requirements", input: { idea: "A choir's calendar." }, ...more });
  const done = await run({ options: { qa_rounds: 0 } });
  const waiting = await run({ options: { human_stakeholder: true }, webhook: { url: "http://127.0.0.1:9/run" } });
  await run({ options: { reviews: ["requirement_draft"], qa_rounds: 0 } });
  await run({ workflow: "waterfall", input: { requirement: "Count to ten." }, options: { clarification: "skip" } });
  const endpoint = await make("/v1/webhook-endpoints", { url: "http://127.0.0.1:9/hook" });
  await make(`/v1/webhook-endpoints/${endpoint.id}/ping`);
  await make("/v1/agents", AGENT);
  const corpus = await make("/v1/corpora", { name: "Laws" });
  await make(`/v1/corpora/${corpus.id}/documents`, { source: "A law", text: "Nobody may be late." });
  await upload(`/v1/corpora/${corpus.id}/documents`, { source: "B", text: "C" });
  for (const name of ["open", "closed"]) {
    const { id } = await make("/v1/datasets", { name, workflow: "plain" });
    await upload(`/v1/datasets/${id}/items`, { id: "a", input: { question: "How many?" }, gold: { number: 3 } });
    if (name === "closed") await make(`/v1/datasets/${id}/close`);
  }
  const idea = { type: "string", example: "A shelf." };
  const request = { workflow: "requirements", input: { idea: "{{idea}}" } };
  const template = await make("/v1/templates", { name: "T", request, fields: { idea } });
  const fields = { idea: "A shelf." };
  await make("/v1/schedules", { name: "S", template_id: template.id, cron: "0 0 1 1 *", fields });
  await make("/v1/keys", { name: "spare", mode: "test" });
  const status = async ({ id }: { id: string }) => (await api.get(`/v1/runs/${id}`)).status;
  for (
    const end = Date.now() + 60_000;
    (await status(done)) !== "completed" || (await status(waiting)) !== "input_required";
    await sleep(200)
  )
    if (Date.now() > end) throw new Error("The first runs did not reach their statuses within a minute.");
  for (const path of ["artifacts", "events"]) await learn(api.get(`/v1/runs/${done.id}/${path}`));
  await learn(api.get("/v1/interactions"));
}

/**
 * The keys that requests carry, one of each kind.
 * @param admin key of the tenant
 */
export async function makeKeys(url: string, admin: string) {
  const api = clientOf(url, admin);
  const make = (name: string, scope: string) => api.post("/v1/keys", { body: { name, mode: "test", scopes: [scope] } });
  const [test, reader, writer, revoked] = await Promise.all([
    make("test", "admin"),
    make("reader", "runs:read"),
    make("writer", "runs:write"),
    make("revoked", "admin"),
  ]);
  // Requests use these keys, so none of them may be deleted.
  const { data } = await api.get("/v1/keys?limit=100");
  await api.send("DELETE", `/v1/keys/${revoked.id}`);
  return {
    protectedIds: new Set<string>(data.map(({ id }: Json) => id)),
    keys: {
      test: test.key,
      reader: reader.key,
      writer: writer.key,
      revoked: revoked.key,
      none: null,
      unknown: "parley_test_nobody",
    },
  };
}
