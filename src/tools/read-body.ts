import { ToolError } from "./tool";

/**
 * Reads a body that may be of any size.
 * @throws ToolError when it is larger than `limit` bytes
 */
export async function readBody(response: Response, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > limit) throw new ToolError(`The answer is larger than ${limit / 1024} KiB; ask for less.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
