import { presentAgent } from "../agents/present-agent";
import { presentCorpus, presentDocument } from "../corpora/present";
import { idPattern } from "#core/ids";
import { presentKey } from "../keys/present-key";
import { presentInteraction } from "../interactions/present-interaction";
import { presentEvent } from "../runs/list-events";
import { presentArtifact } from "../runs/present-artifact";
import { presentRuns } from "../runs/present-run";
import type { Services } from "../services";
import type { ArtifactRow, DeliveryRow, RunRow } from "#store/rows";
import { presentLogEntry } from "../webhooks/present-delivery";
import { presentEndpoint } from "../webhooks/present-endpoint";
import { getTenant } from "./get-tenant";

/** Types of the lines of an export, in the order in which they come; those of a corpus or a run follow it. */
export const EXPORT_LINES = {
  tenant: "who it all belongs to",
  key: "an API key, without its text",
  agent: "an agent of the tenant's own, its MCP servers without the values of their headers",
  webhook_endpoint: "an endpoint, of the tenant or of a run, without its secret",
  delivery: "a webhook delivery with its attempts, without what was posted; those of a run follow the run",
  corpus: "a corpus",
  document: "a document of the corpus, with its text",
  run: "a run, with its input; what it has put out are references to artifacts",
  artifact: "an artifact of the run, with its content",
  interaction: "a question of the run, and its answer; without the URL that answers it",
  event: "an event of the run",
  continue: "the export is longer than one answer: ask again with `after` set to `data.after`",
  end: "there is nothing more; without this line or `continue` the export was cut off",
} as const;

export interface ExportLine {
  type: keyof typeof EXPORT_LINES;
  data: unknown;
}

const ID = (prefix: Parameters<typeof idPattern>[0]) => idPattern(prefix).source.slice(1, -1);
/** A place in an export: behind a document (or at the beginning) of a corpus, or behind a run. */
export const EXPORT_PLACE = new RegExp(`^(${ID("cor")}\\.(${ID("doc")})?|${ID("run")})$`);

/** Rows of a page; artifacts and documents bring their contents. */
const PAGE = 100;
const PAGE_WITH_CONTENTS = 25;
/** A request may make 1,000 calls to D1 and R2: an export goes on in another answer before it comes to that. */
const MOST_READS = 600;

/**
 * Everything that a tenant has, in lines. It is read as it stands at each moment, not frozen: what changes meanwhile may show either way.
 * @param after a place to go on from, of a `continue` line; null for everything
 */
export async function* exportTenant(
  services: Services,
  tenant: string,
  after: string | null,
): AsyncGenerator<ExportLine> {
  const reads = new Reads();
  let place = after;
  const isFull = () => reads.made > MOST_READS && place !== after;
  if (after === null) yield* ownedByTenant(services, tenant, reads);
  if (!after?.startsWith("run_")) {
    for await (const { is, ...line } of ofCorpora(services, tenant, reads, after)) {
      if (isFull()) return yield { type: "continue", data: { after: place } };
      yield line;
      place = is;
    }
  }
  const behind = after?.startsWith("run_") ? after : "";
  for await (const row of pages(reads, PAGE, (from) => services.store.exports.runs(tenant, from, PAGE), behind)) {
    if (isFull()) return yield { type: "continue", data: { after: place } };
    yield* ofRun(services, row, reads);
    place = row.id;
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
  for (const row of await store.agents.getMany(tenant, null))
    yield { type: "agent", data: presentAgent(row, settings.tools) };
  for await (const row of pages(reads, PAGE, (after) => store.exports.endpoints(tenant, after, PAGE)))
    yield { type: "webhook_endpoint", data: presentEndpoint(row) };
  yield* deliveries(services, reads, (after) => store.exports.messages(tenant, after, PAGE));
}

/** Lines of corpora and their documents; `is` is the place behind each. */
async function* ofCorpora(
  { store }: Services,
  tenant: string,
  reads: Reads,
  after: string | null,
): AsyncGenerator<ExportLine & { is: string }> {
  const [begun = "", document = ""] = after?.split(".") ?? [];
  for await (const { id } of pages(reads, PAGE, (from) => store.exports.corpora(tenant, from, PAGE))) {
    if (id < begun) continue;
    reads.made++;
    const corpus = await store.corpora.get(tenant, id);
    if (!corpus) continue; // deleted this moment
    if (id !== begun) yield { type: "corpus", data: presentCorpus(corpus), is: `${id}.` };
    const from = id === begun ? document : "";
    const read = (last: string) => store.exports.documents(corpus.pool, last, PAGE_WITH_CONTENTS);
    for await (const row of pages(reads, PAGE_WITH_CONTENTS, read, from)) {
      if (row.content_key !== null) reads.made++;
      const data = { ...presentDocument(row, id), text: await store.documents.text(row) };
      yield { type: "document", data, is: `${id}.${row.id}` };
    }
  }
}

async function* ofRun(services: Services, run: RunRow, reads: Reads): AsyncGenerator<ExportLine> {
  const { store } = services;
  reads.made += 5; // its input, stages, interactions and webhook
  const [presented] = await presentRuns(services, [run]);
  yield { type: "run", data: presented };
  const readArtifacts = (after: string) => store.exports.artifacts(run.id, after, PAGE_WITH_CONTENTS);
  for await (const row of pages(reads, PAGE_WITH_CONTENTS, readArtifacts)) {
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
  yield* deliveries(services, reads, (after) => store.exports.deliveries(run.id, after, PAGE));
}

async function* deliveries(
  { store }: Services,
  reads: Reads,
  read: (after: string) => Promise<DeliveryRow[]>,
): AsyncGenerator<ExportLine> {
  const withAttempts = async (after: string) => {
    const rows = await read(after);
    if (!rows.length) return [];
    reads.made++;
    const attempts = Map.groupBy(await store.webhooks.attempts(rows.map(({ id }) => id)), (row) => row.delivery_id);
    return rows.map((row) => presentLogEntry(row, attempts.get(row.id) ?? []));
  };
  for await (const data of pages(reads, PAGE, withAttempts)) yield { type: "delivery", data };
}

/** JSON as it is, any other media type as text. */
async function contentOf({ store }: Services, row: ArtifactRow): Promise<unknown> {
  const text = await store.artifacts.content(row);
  return row.media_type === "application/json" ? JSON.parse(text) : text;
}
