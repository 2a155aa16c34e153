import {
  bindings,
  artifactsOf,
  call,
  type Client,
  hookUrl,
  makeTenant,
  openInteraction,
  planFromMock,
  planModel,
  start,
  until,
} from "../support/parley";
import type { Mode } from "#core/vocabulary";
import { newAgent } from "./agent";
import { prefixOf } from "./api";

/** Ids of a tenant's resources, one of each kind, by prefix; `run` waits for a person. */
export type World = Record<
  "run" | "int" | "art" | "key" | "agt" | "whe" | "del" | "cor" | "doc" | "upl" | "dst" | "tpl" | "sch",
  string
>;

/** Creates one resource of each kind, and waits until none is in work, with a client's key of this mode. */
export async function furnish(
  client: Client,
  idea = "A library that lends tools",
  mode: Mode = "test",
): Promise<World> {
  const key = client[mode];
  const made = async (path: string, body?: unknown, headers?: Record<string, string>) => {
    const reply = await call("POST", path, { key, body, headers });
    if (reply.status >= 300) throw new Error(`POST ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body.id as string;
  };
  const input = { idea };
  const options = { reviews: ["requirement_draft"], qa_rounds: 0 };
  const models =
    mode === "test"
      ? {}
      : await planModel(await planFromMock(await makeTenant(), { input, options: { qa_rounds: 0 } }));
  const run = await start(key, { input, options, models });
  const int = (await openInteraction(key, run)).id;
  const [artifact] = await artifactsOf(key, run);
  const { data: keys } = (await call("GET", "/v1/keys", { key })).body;
  const own = keys.find((one: { mode: Mode }) => one.mode === mode);
  const agt = await made("/v1/agents", newAgent({ name: "Owned" }));
  const whe = await made("/v1/webhook-endpoints", { url: hookUrl("world") });
  const del = await made(`/v1/webhook-endpoints/${whe}/ping`);
  const cor = await made("/v1/corpora", { name: "A" });
  const document = { source: "A law", text: "A text." };
  const doc = await made(`/v1/corpora/${cor}/documents`, document);
  const lines = { "content-type": "application/x-ndjson" };
  const upl = await made(`/v1/corpora/${cor}/documents`, JSON.stringify(document), lines);
  const dst = await made("/v1/datasets", { name: "Owned", workflow: "waterfall" });
  await made(`/v1/datasets/${dst}/items`, JSON.stringify({ id: "owned", input: { requirement: idea } }), lines);
  await made(`/v1/datasets/${dst}/close`);
  const tpl = await made("/v1/templates", { name: "Owned", request: { workflow: "requirements", input: { idea } } });
  const sch = await made("/v1/schedules", { name: "Owned", template_id: tpl, cron: "0 0 1 1 *" });
  const isDone = async (path: string, status: string) => (await call("GET", path, { key })).body.status === status;
  await until("the delivery", () => isDone(`/v1/deliveries/${del}`, "delivered"));
  await until("the upload", () => isDone(`/v1/corpora/${cor}/uploads/${upl}`, "completed"));
  await until("the end of its indexing", () =>
    bindings.DB.prepare("SELECT 1 FROM corpora WHERE id = ? AND due_at IS NULL").bind(cor).first(),
  );
  return { run, int, art: artifact.id, key: own.id, agt, whe, del, cor, doc, upl, dst, tpl, sch };
}

/** A path with the ids of the inner resources. */
export const within = (path: string, { art, doc, upl }: Pick<World, "art" | "doc" | "upl">) =>
  path.replace("{artifact_id}", art).replace("{document_id}", doc).replace("{upload_id}", upl);

/** The id for `{id}` of a path. */
export const idFor = (path: string, ids: World): string => ids[prefixOf(path) as keyof World];

/** A path with ids of existing resources. */
export const found = (path: string, ids: World) =>
  within(path, ids).replace("{id}", idFor(path, ids)).replace("{name}", "requirements").replace("{provider}", "openai");
