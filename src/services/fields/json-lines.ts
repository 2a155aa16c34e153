import type { FieldError } from "#core/errors";

/** NDJSON of uploads. */

/** A line that is not valid. */
export interface InvalidLine {
  /** From 1. */
  line: number;
  errors: FieldError[];
}

export type ParsedLine<T> = { line: number; value: T } | InvalidLine;

/** The value that a line of JSON stands for, or its errors. @param size of the line, bytes */
export type CheckLine<T> = (json: unknown, size: number) => { value: T } | { errors: FieldError[] };

/** Of all invalid lines, and of all errors of an upload, this many are listed. */
export const MAX_LISTED_ERRORS = 100;
const MAX_ERRORS_PER_LINE = 10;

export const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

interface Place {
  /** Number of the first line. */
  first: number;
  /** Whether a byte order mark may come first. */
  atStart: boolean;
}

/** Parses complete lines; blank ones are left out. */
export function parseLines<T>(bytes: Uint8Array, { first, atStart }: Place, judge: CheckLine<T>): ParsedLine<T>[] {
  const parsed: ParsedLine<T>[] = [];
  let line = first;
  let from = atStart && BYTE_ORDER_MARK.every((byte, at) => bytes[at] === byte) ? BYTE_ORDER_MARK.length : 0;
  while (from < bytes.length) {
    const feed = bytes.indexOf(LINE_FEED, from);
    const end = feed < 0 ? bytes.length : feed;
    const entry = parseLine(bytes.subarray(from, bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end), line, judge);
    if (entry) parsed.push(entry);
    from = end + 1;
    line++;
  }
  return parsed;
}

export const countLines = (bytes: Uint8Array): number => {
  let count = bytes.length > 0 && bytes.at(-1) !== LINE_FEED ? 1 : 0;
  for (const byte of bytes) if (byte === LINE_FEED) count++;
  return count;
};

const UTF_8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** null for a blank line. */
function parseLine<T>(bytes: Uint8Array, line: number, judge: CheckLine<T>): ParsedLine<T> | null {
  if (bytes.length === 0) return null;
  const fieldError = (code: string, message: string): InvalidLine => ({ line, errors: [{ path: "", code, message }] });
  let text: string;
  try {
    text = UTF_8.decode(bytes);
  } catch {
    return fieldError("invalid_encoding", "The line is not UTF-8.");
  }
  if (text.trim() === "") return null;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return fieldError("malformed_json", "The line cannot be parsed as JSON.");
  }
  const judged = judge(json, bytes.length);
  if ("value" in judged) return { line, value: judged.value };
  return { line, errors: judged.errors.slice(0, MAX_ERRORS_PER_LINE) };
}

/** Blocks of complete lines from a body in chunks of any size; the last line may have no line feed. */
export async function* completeLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let pending: Uint8Array[] = [];
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) {
      yield Buffer.concat([...pending, chunk.subarray(0, end)]);
      pending = [];
    }
    if (end < chunk.length) pending.push(chunk.slice(end));
  }
  if (pending.length > 0) yield Buffer.concat(pending);
}
