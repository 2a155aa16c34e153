/**
 * Yields the chunks of a body as they arrive.
 * @param limit bytes
 * @param tooLarge makes the error thrown as soon as the body exceeds the limit
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
 * Reads a body of at most `limit` bytes.
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

/** Bytes of a provider's response, decoded: the vectors of 100 texts are under 7 MiB, and no answer of a model comes near. */
export const MAX_PROVIDER_RESPONSE = 10 * 1024 * 1024;

export class ResponseTooLargeError extends Error {
  override name = "ResponseTooLargeError";
  constructor(options?: ErrorOptions) {
    super(`the response is larger than ${MAX_PROVIDER_RESPONSE / 1024 / 1024} MiB`, options);
  }
}
