import type { ArtifactRow, AttemptRow, EventRow, InteractionRow, RunRow, StageRow } from "../rows";

/** The content of an archive: the run's rows as they were, and the texts that its own row no longer has. */
export interface ArchivedRows {
  /** One row. `null`: the text is in an object of its own. */
  run: { input: string | null; options: string | null }[];
  stages: StageRow[];
  artifacts: ArtifactRow[];
  events: EventRow[];
  /** With their texts; the rows without them stay in D1. */
  interactions: InteractionRow[];
  /** Attempts of its webhook deliveries. */
  delivery_attempts: AttemptRow[];
}

export type ArchivedTable = keyof ArchivedRows;

const TABLES = ["run", "stages", "artifacts", "events", "interactions", "delivery_attempts"] as const;

/**
 * First line of an archive: gzipped lines of JSON. Each further line is `[table, row]`, a row being an object of its columns. A later version
 * of the format gets another number and keeps reading this one; a new column of a table needs none: it is missing in older archives.
 */
interface Header {
  format: "parley.run-archive";
  version: 1;
  run_id: string;
  /** Number of rows of each table. */
  rows: Record<ArchivedTable, number>;
}

/** The object of an archive. */
export async function encodeArchive(run_id: string, rows: ArchivedRows): Promise<Uint8Array<ArrayBuffer>> {
  const counts = Object.fromEntries(TABLES.map((table) => [table, rows[table].length])) as Header["rows"];
  const header: Header = { format: "parley.run-archive", version: 1, run_id, rows: counts };
  const lines = TABLES.flatMap((table) => rows[table].map((row) => `${JSON.stringify([table, row])}\n`));
  const text = new Blob([`${JSON.stringify(header)}\n`, ...lines]);
  return bytesOf(text.stream().pipeThrough(new CompressionStream("gzip")));
}

/** @throws Error when the object is no archive of this run, or a part of one */
export async function decodeArchive(run_id: string, object: Uint8Array<ArrayBuffer>): Promise<ArchivedRows> {
  const bytes = await bytesOf(new Blob([object]).stream().pipeThrough(new DecompressionStream("gzip")));
  const [first = "", ...lines] = new TextDecoder().decode(bytes).split("\n");
  const header = JSON.parse(first) as Header;
  if (header.format !== "parley.run-archive" || header.version !== 1 || header.run_id !== run_id)
    throw new Error(`The object is no archive of ${run_id} in a format that this version reads.`);
  const rows: ArchivedRows = {
    run: [],
    stages: [],
    artifacts: [],
    events: [],
    interactions: [],
    delivery_attempts: [],
  };
  for (const line of lines) {
    if (line === "") continue;
    const [table, row] = JSON.parse(line) as [ArchivedTable, never];
    rows[table].push(row);
  }
  if (TABLES.some((table) => rows[table].length !== header.rows[table]))
    throw new Error(`The archive of ${run_id} lacks rows.`);
  return rows;
}

const bytesOf = async (stream: ReadableStream<Uint8Array>) => new Uint8Array(await new Response(stream).arrayBuffer());

/** Archives are named by their hash: `<tenant>/<run>/archive-<milliseconds>-<SHA-256>`. */
export const archiveKey = (run: Pick<RunRow, "id" | "tenant_id">, now: number, sha256: string): string =>
  `${run.tenant_id}/${run.id}/archive-${now}-${sha256}`;

/** The SHA-256 that the key of an archive names. */
export const hashInKey = (key: string): string => key.slice(key.lastIndexOf("-") + 1);
