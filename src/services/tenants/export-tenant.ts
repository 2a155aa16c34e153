import type { Owner } from "#core/owner";
import { presentEntry } from "../audit/audit-log";
import { presentAgent } from "../agents/agents";
import { presentCorpus } from "../corpora/corpora";
import { presentDocument } from "../corpora/documents";
import { presentSchedule } from "../schedules/schedules";
import { presentTemplate } from "../templates/templates";
import { presentDataset } from "../datasets/datasets";
import { getBudget } from "../budget/budget";
import type { Page } from "#core/page";
import { idPattern } from "#core/ids";
import { presentKey } from "../keys/keys";
import { presentInteraction } from "../interactions/interactions";
import { presentEvent } from "../fields/present-event";
import { presentArtifact } from "../runs/artifacts";
import { presentStoredRun } from "../runs/present-run";
import { presentProvider } from "../providers/providers";
import type { Services } from "../services";
import type { ArtifactRow, DatasetItemRow, DeliveryRow, RunRow } from "#store/rows";
import { presentLogEntry } from "../webhooks/deliveries";
import { presentEndpoint } from "../webhooks/endpoints";
import { getTenant } from "./tenants";

/** Types of the lines of an export, in their order; the lines of a corpus, data set or run follow it. */
export const EXPORT_LINES = {
  tenant: "the tenant that owns everything below",
  budget: "the budget of live mode, and what is spent of it",
  key: "an API key, without its text",
  provider_key: "the tenant's own key for a model provider, without its text",
  audit_entry: "an entry of the audit log, newest first",
  agent: "one of the tenant's own agents, with its MCP servers but without the values of their headers",
  template: "a template",
  schedule: "a schedule, with its next times",
  webhook_endpoint: "an endpoint, of the tenant or of a run, without its secret",
  delivery: "a webhook delivery with its last 50 attempts, without its body; deliveries of a run follow the run",
  corpus: "a corpus",
  document: "a document of the corpus, with its text",
  dataset: "a data set",
  dataset_item: "an item of the data set, as it was uploaded",
  run: "a run, with its input; its output refers to artifacts",
  artifact: "an artifact of the run, with its content",
  interaction: "a question of the run, and its answer; without the URL that answers it",
  event: "an event of the run",
  continue: "the export is longer than one answer: repeat the request with `after` set to `data.after`",
  end: "the export is complete; without this line or `continue` it was cut off",
} as const;

export interface ExportLine {
  type: keyof typeof EXPORT_LINES;
  data: unknown;
}

const ID = (prefix: Parameters<typeof idPattern>[0]) => idPattern(prefix).source.slice(1, -1);
/** A position in an export: at the start of a corpus or data set, after one of its documents or items, or after a run. */
export const EXPORT_POSITION = new RegExp(`^(${ID("cor")}\\.(${ID("doc")})?|${ID("dst")}\\.\\d{0,15}|${ID("run")})$`);

/** Rows per page; smaller for artifacts and documents, which are read with their contents. */
const PAGE = 100;
const PAGE_WITH_CONTENTS = 25;
/** Larger, because entries are small, and 100,000 of them are read for one answer. */
const AUDIT_PAGE = 1000;
/** A request may make 1,000 calls to D1 and R2: the export continues in another answer well before. */
const MAX_READS = 600;

/**
 * All data of a tenant, as lines. It is no snapshot: a change during the export may appear or not.
 * @param after the position in a `continue` line, to continue there; null: from the start
 */
export async function* exportTenant(
  services: Services,
  owner: Owner,
  after: string | null,
): AsyncGenerator<ExportLine> {
  const reads = new Reads();
  let position = after;
  const isFull = () => reads.made > MAX_READS && position !== after;
  if (after === null) yield* tenantLines(services, owner, reads);
  for await (const { next, ...line } of heldLines(services, { owner, reads, after })) {
    if (isFull()) return yield { type: "continue", data: { after: position } };
    yield line;
    position = next;
  }
  const lastRun = after?.startsWith("run_") ? after : "";
  for await (const row of pages(reads, PAGE, (from) => services.store.exports.runs(owner, from, PAGE), lastRun)) {
    if (isFull()) return yield { type: "continue", data: { after: position } };
    yield* runLines(services, row, reads);
    position = row.id;
  }
  yield { type: "end", data: {} };
}

/** Counts the reads from D1 and R2. */
class Reads {
  made = 0;
}

/** All rows of a list, read page by page. */
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

async function* tenantLines(services: Services, owner: Owner, reads: Reads): AsyncGenerator<ExportLine> {
  const { store, settings } = services;
  yield { type: "tenant", data: await getTenant(services, owner.tenant_id) };
  const budget = owner.mode === "live" ? await getBudget(services, owner.tenant_id) : null;
  if (budget && budget.amount_usd !== null) yield { type: "budget", data: budget };
  for (let after: string | null = null; ;) {
    const { rows, next } = await store.keys.list(owner, PAGE, after);
    for (const row of rows) yield { type: "key", data: presentKey(row) };
    if ((after = next) === null) break;
  }
  for (const row of await store.providerKeys.list(owner))
    yield { type: "provider_key", data: presentProvider(services, row.provider, row) };
  for (let after: number | null = null; ;) {
    reads.made++;
    const { rows, next } = await store.audit.list(owner, {}, AUDIT_PAGE, after);
    for (const row of rows) yield { type: "audit_entry", data: presentEntry(row) };
    if (next === null) break;
    after = Number(next);
  }
  for (const row of await store.agents.getMany(owner, null))
    yield { type: "agent", data: presentAgent(row, settings.tools) };
  for await (const row of pages(reads, PAGE, (after) => store.exports.templates(owner, after, PAGE)))
    yield { type: "template", data: presentTemplate(row) };
  for await (const row of pages(reads, PAGE, (after) => store.exports.schedules(owner, after, PAGE)))
    yield { type: "schedule", data: presentSchedule(row) };
  for await (const row of pages(reads, PAGE, (after) => store.exports.endpoints(owner, after, PAGE)))
    yield { type: "webhook_endpoint", data: presentEndpoint(row) };
  yield* deliveryLines(services, reads, (after) => store.exports.messages(owner, after, PAGE));
}

/** A line, and the position after it. */
type HeldLine = ExportLine & { next: string };

interface Rest {
  owner: Owner;
  reads: Reads;
  /** The position to continue behind; null: from the start. */
  after: string | null;
}

/** Lines of what the tenant has uploaded: corpora, then data sets. */
async function* heldLines(services: Services, { after, ...rest }: Rest): AsyncGenerator<HeldLine> {
  const isBehind = (prefix: string) => after?.startsWith(prefix);
  if (!isBehind("run_") && !isBehind("dst_")) yield* corpusLines(services, { ...rest, after });
  if (!isBehind("run_")) yield* datasetLines(services, { ...rest, after: isBehind("dst_") ? after : null });
}

/** Lines of data sets and their items. */
async function* datasetLines({ store }: Services, { owner, reads, after }: Rest): AsyncGenerator<HeldLine> {
  const [lastDataset = "", lastItem = ""] = after?.split(".") ?? [];
  for await (const dataset of pages(reads, PAGE, (from) => store.exports.datasets(owner, from, PAGE))) {
    const { id } = dataset;
    if (id < lastDataset) continue;
    if (id !== lastDataset) yield { type: "dataset", data: presentDataset(dataset), next: `${id}.` };
    for (let from: number | null = id === lastDataset ? Number(lastItem) : 0; from !== null;) {
      reads.made++;
      const { rows, next }: Page<DatasetItemRow> = await store.datasets.items(id, PAGE, from);
      for (const [at, content] of (await store.datasets.contentsOf(rows)).entries()) {
        if (rows[at]!.content_key !== null) reads.made++;
        yield {
          type: "dataset_item",
          data: { dataset_id: id, item: JSON.parse(content) },
          next: `${id}.${rows[at]!.position}`,
        };
      }
      from = next === null ? null : Number(next);
    }
  }
}

/** Lines of corpora and their documents. */
async function* corpusLines({ store }: Services, { owner, reads, after }: Rest): AsyncGenerator<HeldLine> {
  const [lastCorpus = "", lastDocument = ""] = after?.split(".") ?? [];
  for await (const { id } of pages(reads, PAGE, (from) => store.exports.corpora(owner, from, PAGE))) {
    if (id < lastCorpus) continue;
    reads.made++;
    const corpus = await store.corpora.get(owner, id);
    if (!corpus) continue; // deleted meanwhile
    if (id !== lastCorpus) yield { type: "corpus", data: presentCorpus(corpus), next: `${id}.` };
    const from = id === lastCorpus ? lastDocument : "";
    const read = (last: string) => store.exports.documents(corpus.pool, last, PAGE_WITH_CONTENTS);
    for await (const row of pages(reads, PAGE_WITH_CONTENTS, read, from)) {
      if (row.content_key !== null) reads.made++;
      const data = { ...presentDocument(row, id), text: await store.documents.text(row) };
      yield { type: "document", data, next: `${id}.${row.id}` };
    }
  }
}

async function* runLines(services: Services, run: RunRow, reads: Reads): AsyncGenerator<ExportLine> {
  const { store } = services;
  reads.made += 6; // its input, options, stages, interactions and webhook
  yield { type: "run", data: await presentStoredRun(services, run) };
  const readArtifacts = (after: string) => store.exports.artifacts(run.id, after, PAGE_WITH_CONTENTS);
  for await (const row of pages(reads, PAGE_WITH_CONTENTS, readArtifacts)) {
    if (row.content_key !== null) reads.made++;
    yield { type: "artifact", data: { ...presentArtifact(row), content: await contentOf(services, row) } };
  }
  for await (const row of pages(reads, PAGE, (after) => store.exports.interactions(run.id, after, PAGE)))
    yield { type: "interaction", data: presentInteraction(row, run, null) };
  for (let after = 0; ;) {
    reads.made++;
    const rows = await store.events.after(run.id, after, PAGE);
    for (const row of rows) yield { type: "event", data: presentEvent(row) };
    if (rows.length < PAGE) break;
    after = rows.at(-1)!.seq;
  }
  yield* deliveryLines(services, reads, (after) => store.exports.deliveries(run.id, after, PAGE));
}

async function* deliveryLines(
  { store }: Services,
  reads: Reads,
  read: (after: string) => Promise<DeliveryRow[]>,
): AsyncGenerator<ExportLine> {
  const withAttempts = async (after: string) => {
    const rows = await read(after);
    if (!rows.length) return [];
    reads.made++;
    const attempts = Map.groupBy(await store.deliveries.attempts(rows), (row) => row.delivery_id);
    return rows.map((row) => presentLogEntry(row, attempts.get(row.id) ?? []));
  };
  for await (const data of pages(reads, PAGE, withAttempts)) yield { type: "delivery", data };
}

/** Parsed JSON, or the text of any other media type. */
async function contentOf({ store }: Services, row: ArtifactRow): Promise<unknown> {
  const text = await store.artifacts.content(row);
  return row.media_type === "application/json" ? JSON.parse(text) : text;
}
