/** A model that its provider will shut down: who names it is notified, once at 60, 30 and 7 days. */
import { expect, it } from "vitest";
import { bindings, call, makeTenant, planModel, type Client } from "../../support/parley";
import { newAgent } from "../../contract/agent";
import type { ListedModel } from "#llm";
import { watchModels } from "#services/models/watch-models";
import { Store } from "#store/store";

const store = new Store(bindings.DB, bindings.BUCKET);
const DAY = 86_400_000;
const SHUTDOWN = "2031-12-11";
const daysBefore = (days: number) => Date.parse(SHUTDOWN) - days * DAY;

let round = 0;
/** A day on which `acme`, whose default is `acme/lasting`, lists these models. */
async function watch(now: number, listed: ListedModel[], default_model = "acme/lasting") {
  const provider = { name: `acme${round++}`, default_model: null, models: new Map() };
  const services = {
    llm: { models: async () => listed },
    providers: { byName: new Map([["acme", provider]]), default_model, embedding_model: null },
  };
  await watchModels(services as never, [store], now);
}

const messagesOf = async ({ tenant }: Client) => {
  const { results } = await bindings.DB.prepare(
    "SELECT data FROM webhook_messages WHERE tenant_id = ? AND type = 'model.retiring' ORDER BY rowid",
  )
    .bind(tenant)
    .all<{ data: string }>();
  return results.map(({ data }) => JSON.parse(data));
};

async function addTemplate({ tenant }: Client, id: string, mode: "live" | "test", models?: object) {
  await bindings.DB.prepare(
    `INSERT INTO templates (id, tenant_id, mode, name, description, version, workflow, request, fields, created_at, updated_at)
     VALUES (?, ?, ?, 'T', '', 1, 'plain', ?, '[]', 1, 1)`,
  )
    .bind(id, tenant, mode, JSON.stringify({ input: {}, ...(models && { models }) }))
    .run();
}

const NOTHING_ELSE = { schedules: [], runs: [], corpora: [], agents: [] };
const retiring = { model: "acme/old", shutdown_date: SHUTDOWN };

it("the tenants whose templates name the model get one message at 60, 30 and 7 days, and nobody else gets one", async () => {
  const [client, other] = [await makeTenant(), await makeTenant()];
  await addTemplate(client, `tpl_${client.tenant}a`, "live", { default: "acme/old" });
  await addTemplate(client, `tpl_${client.tenant}b`, "test", { default: "acme/old" });
  await addTemplate(other, `tpl_${other.tenant}a`, "live", { default: "acme/older" });
  for (const days of [90, 61, 60, 45, 31, 30, 8, 7, 1]) {
    await watch(daysBefore(days), [retiring, { model: "acme/lasting", shutdown_date: null }]);
    await watch(daysBefore(days), [retiring]); // a second start on the same day
  }
  expect(await messagesOf(client)).toEqual(
    [60, 30, 7].map((days) => ({
      model: "acme/old",
      shutdown_date: SHUTDOWN,
      days,
      templates: [`tpl_${client.tenant}a`],
      ...NOTHING_ELSE,
    })),
  );
  expect(await messagesOf(other)).toEqual([]);
});

it("a template without a model of its own is warned of the default one, and a later date warns anew", async () => {
  const client = await makeTenant();
  await addTemplate(client, `tpl_${client.tenant}a`, "live");
  await watch(daysBefore(10), [retiring]);
  expect(await messagesOf(client)).toEqual([]);
  await watch(daysBefore(10), [retiring], "acme/old");
  await watch(daysBefore(10), [{ ...retiring, shutdown_date: "2031-12-20" }], "acme/old");
  expect((await messagesOf(client)).map(({ shutdown_date }) => shutdown_date)).toEqual([SHUTDOWN, "2031-12-20"]);
});

it("schedules that are not paused, runs under way, corpora and agents are named too", async () => {
  const client = await makeTenant();
  const api = async (path: string, body: object) => {
    const reply = await call("POST", path, { key: client.live, body });
    if (reply.status >= 300) throw new Error(JSON.stringify(reply.body));
    return reply.body.id as string;
  };
  const models = await planModel({ "*": [{ content: "Never.", delay_ms: 60_000 }] });
  const request = { workflow: "plain", input: { request: "Wait." }, models };
  const template = await api("/v1/templates", { name: "T", request });
  const schedule = { template_id: template, name: "S", cron: "0 0 1 1 *" };
  const running = await api("/v1/schedules", schedule);
  const paused = await api("/v1/schedules", { ...schedule, name: "P" });
  await call("PATCH", `/v1/schedules/${paused}`, { key: client.live, body: { status: "paused" } });
  const run = await api("/v1/runs", request);
  const corpus = await api("/v1/corpora", { name: "C", embedding_model: models.default });
  const agent = await api("/v1/agents", newAgent({ model: models.default }));
  await watch(daysBefore(10), [{ model: models.default, shutdown_date: SHUTDOWN }]);
  expect(await messagesOf(client)).toEqual([
    {
      model: models.default,
      shutdown_date: SHUTDOWN,
      days: 30,
      templates: [template],
      schedules: [running],
      runs: [run],
      corpora: [corpus],
      agents: [agent],
    },
  ]);
  await call("POST", `/v1/runs/${run}/cancel`, { key: client.live });
});
