import { boundedBody } from "#core/outbound/bounded-body";
import { ToolError } from "./tool";

/**
 * Reads a response body.
 * @throws ToolError when it is larger than `limit` bytes
 */
export async function readBody(response: Response, limit: number): Promise<Uint8Array> {
  const body = await boundedBody(response, limit);
  if (!body) throw new ToolError(`The answer is larger than ${limit / 1024} KiB; ask for less.`);
  return body;
}
