import { presentAgent } from "../agents/present-agent";
import { presentKey } from "../keys/present-key";
import { presentInteraction } from "../presenters/interaction";
import { toTime, toTimeOrNull } from "../presenters/time";
import { presentArtifact } from "../runs/present-artifact";
import { presentEvent } from "../runs/list-events";
import { presentRuns } from "../runs/present-run";
import type { Services } from "../services";
import type { DeliveryRecord } from "../store/exports";
import type { ArtifactRow, EndpointRow, RunRow } from "../store/rows";
import { getTenant } from "./get-tenant";

/** Types of the lines of an export, in the order in which they come; those of a run follow it. */
export const EXPORT_LINES = {
  tenant: "who it all belongs to",
  key: "an API key, without its text",
  agent: "an agent of the tenant's own, its MCP servers without the values of their headers",
  webhook_endpoint: "an endpoint, of the tenant or of a run, without its secret",
  run: "a run, with its input; what it has put out are references to artifacts",
  artifact: "an artifact of the run, with its content",
  interaction: "a question of the run, and its answer; without the URL that answers it",
  event: "an event of the run",
  delivery: "a webhook delivery of the run, with its attempts",
  continue: "the export is longer than one answer: ask again with `after` set to `data.after`",
  end: "there is nothing more; without this line or `continue` the export was cut off",
} as const;

export interface ExportLine {
  type: keyof typeof EXPORT_LINES;
  data: unknown;
}

/** Rows of a page; artifacts bring their contents. */
const PAGE = 100;
const ARTIFACTS_PAGE = 25;
/** A request may make 1,000 calls to D1 and R2: an export goes on in another answer before it comes to that. */
const MOST_READS = 600;

/**
 * Everything that a tenant has, in lines. It is read as it stands at each moment, not frozen: what changes meanwhile may show either way.
 * @param after a run to continue behind, from a `continue` line; null for everything
 */
export async function* exportTenant(
  services: Services,
  tenant: string,
  after: string | null,
): AsyncGenerator<ExportLine> {
  const reads = new Reads();
  if (after === null) yield* ownedByTenant(services, tenant, reads);
  let last = after;
  for await (const row of pages(reads, PAGE, (from) => services.store.exports.runs(tenant, from, PAGE), after ?? "")) {
    if (reads.made > MOST_READS) return yield { type: "continue", data: { after: last } };
    yield* ofRun(services, row, reads);
    last = row.id;
  }
  yield { type: "end", data: {} };
}

/** How much was read from D1 and R2. */
class Reads {
  made = 0;
}

/** Every row of a list that is read in pages. */
async function* pages<Row extends { id: string }>(
  reads: Reads,
  size: number,
  read: (after: string) => Promise<Row[]>,
  from = "",
): AsyncGenerator<Row> {
  for (let after = from; ;) {
    reads.made++;
    const rows = await read(after);
    yield* rows;
    if (rows.length < size) return;
    after = rows.at(-1)!.id;
  }
}

async function* ownedByTenant(services: Services, tenant: string, reads: Reads): AsyncGenerator<ExportLine> {
  const { store, settings } = services;
  yield { type: "tenant", data: await getTenant(services, tenant) };
  for (let after: string | null = null; ;) {
    const { rows, next } = await store.keys.list(tenant, PAGE, after);
    for (const row of rows) yield { type: "key", data: presentKey(row) };
    if ((after = next) === null) break;
  }
  for (const row of await store.agents.some(tenant, null))
    yield { type: "agent", data: presentAgent(row, settings.tools) };
  for await (const row of pages(reads, PAGE, (after) => store.exports.endpoints(tenant, after, PAGE)))
    yield { type: "webhook_endpoint", data: presentEndpoint(row) };
}

async function* ofRun(services: Services, run: RunRow, reads: Reads): AsyncGenerator<ExportLine> {
  const { store } = services;
  reads.made += 5; // its input, stages, interactions and webhook
  const [presented] = await presentRuns(services, [run]);
  yield { type: "run", data: presented };
  for await (const row of pages(reads, ARTIFACTS_PAGE, (after) =>
    store.exports.artifacts(run.id, after, ARTIFACTS_PAGE),
  )) {
    if (row.content_key !== null) reads.made++;
    yield { type: "artifact", data: { ...presentArtifact(row), content: await contentOf(services, row) } };
  }
  for await (const row of pages(reads, PAGE, (after) => store.exports.interactions(run.id, after, PAGE)))
    yield { type: "interaction", data: presentInteraction(row, { callback_url: null }) };
  for (let after = 0; ;) {
    reads.made++;
    const rows = await store.events.after(run.id, after, PAGE);
    for (const row of rows) yield { type: "event", data: presentEvent(row) };
    if (rows.length < PAGE) break;
    after = rows.at(-1)!.seq;
  }
  for await (const row of pages(reads, PAGE, (after) => store.exports.deliveries(run.id, after, PAGE)))
    yield { type: "delivery", data: presentDelivery(row) };
}

/** JSON as it is, any other media type as text. */
async function contentOf({ store }: Services, row: ArtifactRow): Promise<unknown> {
  const text = await store.artifacts.content(row);
  return row.media_type === "application/json" ? JSON.parse(text) : text;
}

const presentEndpoint = ({
  id,
  run_id,
  url,
  events,
  status,
  disabled_because,
  created_at,
}: Omit<EndpointRow, "secret">) => ({
  object: "webhook_endpoint",
  id,
  run_id,
  url,
  events: JSON.parse(events) as unknown,
  status,
  disabled_because,
  created_at: toTime(created_at),
});

const presentDelivery = (row: DeliveryRecord) => ({
  object: "delivery",
  id: row.id,
  event_id: row.event_id,
  endpoint_id: row.endpoint_id,
  run_id: row.run_id,
  status: row.status,
  created_at: toTime(row.created_at),
  settled_at: toTimeOrNull(row.settled_at),
  attempts: JSON.parse(row.attempts) as unknown,
});
