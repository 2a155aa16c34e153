import { Problem } from "#core/errors";
import { toFieldErrors } from "../fields/field-errors";
import {
  countLines,
  type InvalidLine,
  type CheckLine,
  LINE_FEED,
  MAX_LISTED_ERRORS,
  parseLines,
} from "../fields/json-lines";
import { isTakenExternalId, type NewDocument } from "#store/documents";
import type { CorpusInWork, UploadProgress, UploadRow } from "#store/corpora";
import type { Store } from "#store/store";
import { newDocument } from "./documents";
import { createDocumentSchema, type DocumentRequest } from "./requests";

/** Bytes of an upload that are read at once; more when a line is longer. */
const READ_BYTES = 512 * 1024;
/** Lines of one step: parsing and writing more of them at once would hold up other requests. */
const MAX_LINES = 1000;

/**
 * Adds the next lines of an upload as documents and stores the new position in the same transaction: a crash loses and repeats nothing.
 */
export async function addNextLines(store: Store, corpus: CorpusInWork, upload: UploadRow): Promise<void> {
  const { bytes, position } = await nextLines(store, upload);
  const parsed = parseLines(bytes, { first: upload.lines + 1, atStart: upload.position === 0 }, checkDocument);
  const invalid = parsed.flatMap((line) => ("errors" in line ? line : []));
  const valid = parsed.flatMap((line) =>
    "errors" in line ? [] : { line: line.line, document: newDocument(line.value, corpus.language) },
  );
  const { fresh, unchanged, clashes } = await compare(store, corpus, valid);
  const listed = JSON.parse(upload.errors) as InvalidLine[];
  const errors = [...invalid, ...clashes].sort((a, b) => a.line - b.line);
  const progress: UploadProgress = {
    position,
    lines: upload.lines + countLines(bytes),
    added: upload.added + fresh.length,
    unchanged: upload.unchanged + unchanged,
    invalid: upload.invalid + errors.length,
    errors: JSON.stringify([...listed, ...errors].slice(0, MAX_LISTED_ERRORS)),
  };
  await store.corpora.addFromUpload(corpus, upload, fresh, progress).catch((error: unknown) => {
    // Another request has added one of them since they were compared: the next step reads these lines again.
    if (!isTakenExternalId(error)) throw error;
  });
}

/** The complete lines from the upload's position on, at most `MAX_LINES`; at the end of the upload, its last line too. */
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
  for (let lines = 0; lines < MAX_LINES; lines++) {
    const feed = bytes.indexOf(LINE_FEED, end);
    if (feed < 0) return isRest ? bytes.length : end;
    end = feed + 1;
  }
  return end;
}

const checkDocument: CheckLine<DocumentRequest> = (json) => {
  const { success, data, error } = createDocumentSchema.safeParse(json);
  return success ? { value: data } : { errors: toFieldErrors(error, json) };
};

/** Sorts documents into new ones, unchanged ones, and ones whose `external_id` another document has. */
async function compare(
  store: Store,
  corpus: CorpusInWork,
  lines: readonly { line: number; document: NewDocument }[],
): Promise<{ fresh: NewDocument[]; unchanged: number; clashes: InvalidLine[] }> {
  const existing = await store.documents.getByExternalIds(
    corpus.pool,
    lines.flatMap(({ document }) => document.external_id ?? []),
  );
  const digests = new Map([...existing].map(([external_id, { digest }]) => [external_id, digest]));
  const fresh: NewDocument[] = [];
  const clashes: InvalidLine[] = [];
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
