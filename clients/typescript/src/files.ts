import type { Core } from "./core.ts";
import { ConnectionError } from "./errors.ts";
import * as api from "./generated/sdk.gen.ts";
import type {
  CreateDataset,
  CreateDocument,
  Dataset,
  DatasetItem,
  Upload as CorpusUpload,
} from "./generated/types.gen.ts";
import { linesOf } from "./streams.ts";
import { type RequestOptions, sleep } from "./transport.ts";
import { batchesOf, type Upload } from "./uploads.ts";

const NDJSON = { headers: { "Content-Type": "application/x-ndjson" }, bodySerializer: null } as const;
/** Between two looks at an upload that is being indexed. Milliseconds. */
const POLL_INTERVAL_MS = 1000;

export interface DatasetProgress {
  /** Items sent so far. */
  sent: number;
}

export interface CorpusProgress {
  /** Lines that the API has, read or not. */
  sent: number;
  added: number;
  unchanged: number;
  invalid: number;
  /** Documents that are split and embedded. */
  ready: number;
}

/** What an upload to a corpus did. */
export interface CorpusUploadResult extends CorpusProgress {
  /** Invalid lines, counted from 1 over the whole upload: of each request the first 100. */
  errors: CorpusUpload["errors"];
  uploads: CorpusUpload[];
}

export interface UploadOptions<P> extends RequestOptions {
  onProgress?: (progress: P) => void;
}

export const artifacts = (core: Core) => {
  const content = (parseAs: "text" | "json" | "arrayBuffer") =>
    core.part(api.getArtifactContent, "artifact_id", { parseAs });
  const asBuffer = content("arrayBuffer");
  return {
    list: core.listOf(api.listArtifacts),
    get: core.part(api.getArtifact, "artifact_id"),
    text: content("text"),
    json: content("json") as (run: string, artifact: string, options?: RequestOptions) => Promise<unknown>,
    bytes: async (run: string, artifact: string, options?: RequestOptions) =>
      new Uint8Array((await asBuffer(run, artifact, options)) as unknown as ArrayBuffer),
  };
};

export const corpora = (core: Core) => {
  const getUpload = core.part(api.getUpload, "upload_id");
  return {
    create: core.body(api.createCorpus),
    list: core.list(api.listCorpora),
    get: core.one(api.getCorpus),
    update: core.bodyFor(api.updateCorpus),
    delete: core.one(api.deleteCorpus),
    search: core.bodyFor(api.searchCorpus),
    listUploads: core.listOf(api.listUploads),
    getUpload,

    /** Adds documents and waits until they are split and embedded. Documents with an `external_id` can be uploaded again. */
    async upload(
      id: string,
      documents: Upload<CreateDocument>,
      { onProgress, ...options }: UploadOptions<CorpusProgress> = {},
    ): Promise<CorpusUploadResult> {
      const uploads: CorpusUpload[] = [];
      const starts: number[] = [];
      let sent = 0;
      const state = (): CorpusUploadResult => {
        const sum = (name: "added" | "unchanged" | "invalid" | "ready") =>
          uploads.reduce((total, { counts }) => total + counts[name], 0);
        const errors = uploads.flatMap((it, index) =>
          it.errors.map((one) => ({ ...one, line: one.line + starts[index]! })),
        );
        const counts = {
          added: sum("added"),
          unchanged: sum("unchanged"),
          invalid: sum("invalid"),
          ready: sum("ready"),
        };
        return { sent, ...counts, errors, uploads };
      };
      for await (const { text, lines } of batchesOf(documents)) {
        const { idempotencyKey: _, ...each } = options;
        const answer = await core.send(api.addDocuments, { path: { id }, body: text, ...NDJSON }, each);
        uploads.push(answer as CorpusUpload);
        starts.push(sent);
        sent += lines;
        onProgress?.(state());
      }
      for (const [index, { id: upload }] of uploads.entries()) {
        while (uploads[index]!.status !== "completed") {
          await sleep(POLL_INTERVAL_MS, options.signal);
          uploads[index] = await getUpload(id, upload, options);
          onProgress?.(state());
        }
      }
      return state();
    },
  };
};

export const datasets = (core: Core) => {
  const create = core.body(api.createDataset);
  const close = core.one(api.closeDataset);
  return {
    create,
    close,
    list: core.list(api.listDatasets),
    get: core.one(api.getDataset),
    update: core.bodyFor(api.updateDataset),
    delete: core.one(api.deleteDataset),
    listItems: core.listOf(api.listItems),

    /** Adds items to a data set that is open, or creates one, and closes it. */
    async upload(
      target: CreateDataset | { id: string },
      items: Upload<DatasetItem>,
      { onProgress, ...options }: UploadOptions<DatasetProgress> = {},
    ): Promise<Dataset> {
      const { idempotencyKey: _, ...each } = options;
      const { id } = "id" in target ? target : await create(target, options);
      let sent = 0;
      for await (const { text, lines } of batchesOf(items)) {
        await core.send(api.addItems, { path: { id }, body: text, ...NDJSON }, each);
        sent += lines;
        onProgress?.({ sent });
      }
      return close(id, each);
    },

    /** Its items, as they were uploaded. */
    async *export(id: string, options?: RequestOptions): AsyncGenerator<DatasetItem> {
      const body = await core.stream(api.exportDataset, { path: { id } }, options);
      for await (const line of linesOf(body)) if (line) yield JSON.parse(line) as DatasetItem;
    },
  };
};

/** A line of an export. */
export interface ExportLine {
  type: string;
  data: Record<string, unknown>;
}

/** Everything that the tenant has, resource by resource. @throws ConnectionError when the export is cut off */
export async function* exportTenant(core: Core, options?: RequestOptions): AsyncGenerator<ExportLine> {
  for (let after: unknown; ;) {
    let last: ExportLine | undefined;
    const body = await core.stream(api.exportTenant, { query: { after } }, options);
    for await (const line of linesOf(body)) {
      if (!line) continue;
      last = JSON.parse(line) as ExportLine;
      if (last.type !== "continue" && last.type !== "end") yield last;
    }
    if (last?.type === "end") return;
    if (last?.type !== "continue") throw new ConnectionError("The export was cut off before its last line.");
    after = last.data.after;
  }
}
