/** Bytes or texts in pieces, or values: an array, a generator, a file's stream, the body of a response. */
export type Source<T> = Iterable<T> | AsyncIterable<T> | ReadableStream<T>;

/** Server-sent events come with a comment every 15 seconds: after three times as long without one the connection counts as cut. Milliseconds. */
const MAX_SILENCE = 45_000;

/** Reads a source to its end; a stream is canceled when its reader stops earlier. Not every browser iterates over streams by itself. */
export async function* iterate<T>(source: Source<T>, longestSilence?: number): AsyncGenerator<T> {
  if (!("getReader" in source)) return yield* source;
  const reader = source.getReader();
  const cancel = () => void reader.cancel().catch(() => undefined);
  try {
    for (;;) {
      const timer = longestSilence === undefined ? undefined : setTimeout(cancel, longestSilence);
      const { done, value } = await reader.read().finally(() => clearTimeout(timer));
      if (done) return;
      yield value;
    }
  } finally {
    cancel();
  }
}

/** The lines of pieces of text, without their ends. */
export async function* linesOf(source: Source<Uint8Array | string>, longestSilence?: number): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of iterate(source, longestSilence)) {
    const lines = (rest + (typeof piece === "string" ? piece : decoder.decode(piece, { stream: true }))).split("\n");
    rest = lines.pop()!;
    for (const line of lines) yield line.replace(/\r$/, "");
  }
  rest += decoder.decode();
  if (rest) yield rest;
}

/** Server-sent events that arrived whole (HTML Standard, 9.2.6), without their ids, which their data has. */
export async function* serverSentEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<{ type: string; data: string }> {
  let type = "";
  let data: string[] = [];
  for await (const line of linesOf(body, MAX_SILENCE)) {
    const [, field, value] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (field === "event") type = value!;
    if (field === "data") data.push(value!);
    if (line !== "") continue;
    if (data.length > 0) yield { type, data: data.join("\n") };
    type = "";
    data = [];
  }
}
