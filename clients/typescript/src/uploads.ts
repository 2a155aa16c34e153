import { iterate, linesOf, type Source } from "./streams.ts";

/** What an upload takes: values, or NDJSON in pieces, such as the stream of a file. */
export type Upload<T extends object> = Source<T> | Source<Uint8Array | string>;

/** Of one request of an upload. */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_LINES = 1000;

interface Batch {
  text: string;
  lines: number;
}

/** NDJSON in bodies of requests. A line that is larger than a body may be is sent alone, and refused by the API. */
export async function* batchesOf(source: Upload<object>): AsyncGenerator<Batch> {
  const encoder = new TextEncoder();
  let lines: string[] = [];
  let bytes = 0;
  for await (const line of linesOf(asText(source))) {
    if (!line.trim()) continue;
    const size = encoder.encode(line).length + 1;
    if (lines.length > 0 && (bytes + size > MAX_BYTES || lines.length === MAX_LINES)) {
      yield { text: `${lines.join("\n")}\n`, lines: lines.length };
      lines = [];
      bytes = 0;
    }
    lines.push(line);
    bytes += size;
  }
  if (lines.length > 0) yield { text: `${lines.join("\n")}\n`, lines: lines.length };
}

async function* asText(source: Upload<object>): AsyncGenerator<Uint8Array | string> {
  for await (const piece of iterate(source as Source<object | string>))
    yield typeof piece === "string" || piece instanceof Uint8Array ? piece : `${JSON.stringify(piece)}\n`;
}
