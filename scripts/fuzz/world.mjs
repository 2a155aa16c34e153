import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "../lib/api.mjs";

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
 * Makes one thing of each sort, so that requests find something.
 * @param {string} url
 * @param {string} key
 * @param {import("./pool.mjs").Pool} pool learns their ids
 */
export async function furnish(url, key, pool) {
  const api = connect(url, key);
  const kept = async (made) => (pool.learn(JSON.stringify(await made)), made);
  const run = (more) =>
    kept(api.post("/v1/runs", { workflow: "requirements", input: { idea: "A choir's calendar." }, ...more }));
  const done = await run({ options: { qa_rounds: 0 } });
  const asks = await run({ options: { human_stakeholder: true }, webhook: { url: "http://127.0.0.1:9/run" } });
  await run({ options: { checkpoints: ["requirement_draft"], qa_rounds: 0 } });
  await run({ workflow: "waterfall", input: { requirement: "Count to ten." }, options: { clarification: "skip" } });
  const endpoint = await kept(api.post("/v1/webhook-endpoints", { url: "http://127.0.0.1:9/hook" }));
  await kept(api.post(`/v1/webhook-endpoints/${endpoint.id}/ping`, {}));
  await kept(api.post("/v1/agents", AGENT));
  const corpus = await kept(api.post("/v1/corpora", { name: "Laws" }));
  await kept(api.post(`/v1/corpora/${corpus.id}/documents`, { source: "A law", text: "Nobody may be late." }));
  await kept(api.send(`/v1/corpora/${corpus.id}/documents`, '{"source":"B","text":"C"}\n', "application/x-ndjson"));
  await kept(api.post("/v1/keys", { name: "spare", mode: "test" }));
  const status = async ({ id }) => (await api.get(`/v1/runs/${id}`)).status;
  for (
    const end = Date.now() + 60_000;
    (await status(done)) !== "completed" || (await status(asks)) !== "input_required";
    await sleep(200)
  )
    if (Date.now() > end) throw new Error("The runs to begin with did not come to what they should.");
  for (const path of ["artifacts", "events"]) await kept(api.get(`/v1/runs/${done.id}/${path}`));
  await kept(api.get("/v1/interactions"));
}

/**
 * The keys that requests are made with: each sort that there is.
 * @param {string} url
 * @param {string} admin key of the tenant
 */
export async function makeKeys(url, admin) {
  const api = connect(url, admin);
  const make = (name, scope) => api.post("/v1/keys", { name, mode: "test", scopes: [scope] });
  const [test, reader, writer, revoked] = await Promise.all([
    make("test", "admin"),
    make("reader", "runs:read"),
    make("writer", "runs:write"),
    make("revoked", "admin"),
  ]);
  // All there are by now are used, so they stay.
  const { data } = await api.get("/v1/keys?limit=100");
  await fetch(`${url}/v1/keys/${revoked.id}`, { method: "DELETE", headers: { authorization: `Bearer ${admin}` } });
  return {
    spared: new Set(data.map(({ id }) => id)),
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
