import { Problem } from "#core/errors";
import { toFaults } from "../fields/faults";
import type { NewDocument } from "#store/documents";
import type { UploadRow } from "#store/rows";
import type { CorpusInWork, UploadProgress } from "#store/corpora";
import type { Store } from "#store/store";
import { newDocument } from "./new-document";
import { createDocumentSchema, type DocumentRequest } from "./requests";
import type { FaultyLine } from "./schema";

/** Bytes of an upload that are read at once; more when a line is longer. */
const READ_BYTES = 512 * 1024;
/** Lines of one step: parsing and writing more of them at once would hold up other requests. */
const MOST_LINES = 1000;
/** All faulty lines are counted; this many are listed. */
const MOST_LISTED_FAULTS = 100;
const MOST_FAULTS_OF_A_LINE = 10;

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/**
 * Adds the next lines of an upload as documents and stores the new position in the same transaction: a crash loses and repeats nothing.
 */
export async function readUpload(store: Store, corpus: CorpusInWork, upload: UploadRow): Promise<void> {
  const { bytes, position } = await nextLines(store, upload);
  const parsed = parseLines(bytes, upload.lines + 1, upload.position === 0);
  const faulty = parsed.flatMap((line) => ("errors" in line ? line : []));
  const valid = parsed.flatMap((line) =>
    "errors" in line ? [] : { line: line.line, document: newDocument(line.request, corpus.language) },
  );
  const { fresh, unchanged, clashes } = await compare(store, corpus, valid);
  const listed = JSON.parse(upload.faults) as FaultyLine[];
  const faults = [...faulty, ...clashes].sort((a, b) => a.line - b.line);
  const progress: UploadProgress = {
    position,
    lines: upload.lines + countLines(bytes),
    added: upload.added + fresh.length,
    unchanged: upload.unchanged + unchanged,
    faulty: upload.faulty + faults.length,
    faults: JSON.stringify([...listed, ...faults].slice(0, MOST_LISTED_FAULTS)),
  };
  await store.corpora.addFromUpload(corpus, upload, fresh, progress);
}

/** The complete lines from the upload's position on, at most `MOST_LINES`; at the end of the upload, its last line too. */
async function nextLines(store: Store, upload: UploadRow): Promise<{ bytes: Uint8Array; position: number }> {
  const left = upload.size - upload.position;
  for (let length = Math.min(READ_BYTES, left); ; length = Math.min(length * 4, left)) {
    const bytes = length === 0 ? new Uint8Array() : await store.corpora.readUpload(upload, upload.position, length);
    if (!bytes) throw new Problem("internal_error", `The lines of upload ${upload.id} are missing.`);
    const end = endOfLines(bytes, length === left);
    if (end > 0 || length === left) return { bytes: bytes.subarray(0, end), position: upload.position + end };
  }
}

/** Where the last line of a step ends; 0: the bytes hold no whole line. */
function endOfLines(bytes: Uint8Array, isRest: boolean): number {
  let end = 0;
  for (let lines = 0; lines < MOST_LINES; lines++) {
    const feed = bytes.indexOf(LINE_FEED, end);
    if (feed < 0) return isRest ? bytes.length : end;
    end = feed + 1;
  }
  return end;
}

const countLines = (bytes: Uint8Array): number => {
  let count = bytes.length > 0 && bytes.at(-1) !== LINE_FEED ? 1 : 0;
  for (const byte of bytes) if (byte === LINE_FEED) count++;
  return count;
};

type ParsedLine = { line: number; request: DocumentRequest } | FaultyLine;

/** @param first number of the first line @param atStart whether a byte order mark may come first */
function parseLines(bytes: Uint8Array, first: number, atStart: boolean): ParsedLine[] {
  const parsed: ParsedLine[] = [];
  let line = first;
  let from = atStart && BYTE_ORDER_MARK.every((byte, at) => bytes[at] === byte) ? BYTE_ORDER_MARK.length : 0;
  while (from < bytes.length) {
    const feed = bytes.indexOf(LINE_FEED, from);
    const end = feed < 0 ? bytes.length : feed;
    const entry = parseLine(bytes.subarray(from, bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end), line);
    if (entry) parsed.push(entry);
    from = end + 1;
    line++;
  }
  return parsed;
}

const UTF_8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** null for a blank line. */
function parseLine(bytes: Uint8Array, line: number): ParsedLine | null {
  const fault = (code: string, message: string): FaultyLine => ({ line, errors: [{ path: "", code, message }] });
  let text: string;
  try {
    text = UTF_8.decode(bytes);
  } catch {
    return fault("invalid_encoding", "The line is not UTF-8.");
  }
  if (text.trim() === "") return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fault("malformed_json", "The line cannot be parsed as JSON.");
  }
  const result = createDocumentSchema.safeParse(value);
  if (result.success) return { line, request: result.data };
  return { line, errors: toFaults(result.error, value).slice(0, MOST_FAULTS_OF_A_LINE) };
}

/** Sorts documents into new ones, unchanged ones, and ones whose `external_id` another document has. */
async function compare(
  store: Store,
  corpus: CorpusInWork,
  lines: readonly { line: number; document: NewDocument }[],
): Promise<{ fresh: NewDocument[]; unchanged: number; clashes: FaultyLine[] }> {
  const existing = await store.documents.getByExternalIds(
    corpus.pool,
    lines.flatMap(({ document }) => document.external_id ?? []),
  );
  const digests = new Map([...existing].map(([external_id, { digest }]) => [external_id, digest]));
  const fresh: NewDocument[] = [];
  const clashes: FaultyLine[] = [];
  let unchanged = 0;
  for (const { line, document } of lines) {
    const { external_id, digest } = document;
    const known = external_id === null ? undefined : digests.get(external_id);
    if (known === digest) unchanged++;
    else if (known !== undefined) {
      const message = `This corpus has another document "${external_id}". Delete that one first, or choose another external_id.`;
      clashes.push({ line, errors: [{ path: "external_id", code: "duplicate_document", message }] });
    } else {
      fresh.push(document);
      if (external_id !== null) digests.set(external_id, digest);
    }
  }
  return { fresh, unchanged, clashes };
}
