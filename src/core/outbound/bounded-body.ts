/**
 * The chunks of a body, as they come.
 * @param limit bytes
 * @param tooLarge the error that is thrown as soon as there are more
 */
export async function* boundedChunks(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
  tooLarge: () => Error,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge();
    yield chunk;
  }
}

/**
 * Reads a body that may be of any size.
 * @param limit bytes
 * @returns null when it is larger
 */
export async function boundedBody(
  { body }: { body: ReadableStream<Uint8Array> | null },
  limit: number,
): Promise<Uint8Array | null> {
  const tooLarge = new Error();
  try {
    return Buffer.concat(await Array.fromAsync(boundedChunks(body, limit, () => tooLarge)));
  } catch (error) {
    if (error === tooLarge) return null;
    throw error;
  }
}
