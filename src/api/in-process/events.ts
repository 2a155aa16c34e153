import type { ProblemObject } from "#core/errors";
import type { PresentedEvent } from "#services/runs/event-schema";
import { OperationError, refusalOf, type Send } from "./operations";

/**
 * The events of a run from the beginning, in batches, as they come; an empty batch for each heartbeat. Ends with the run, or as our streams do,
 * after ten minutes.
 * @throws OperationError, also later when the key has become invalid
 */
export async function* eventsOf(send: Send, run: string): AsyncGenerator<PresentedEvent[]> {
  const response = await send({ method: "GET", path: `/v1/runs/${run}/events`, accept: "text/event-stream" });
  if (!response.ok || !response.body) throw await refusalOf(response);
  let rest = "";
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + text).split("\n\n");
    rest = blocks.pop()!;
    yield blocks.flatMap(readBlock);
  }
}

/** The event in a block of the stream; none in a comment. @throws OperationError when the stream was closed for good */
function readBlock(block: string): PresentedEvent[] {
  const [, data] = /^data: (.*)$/m.exec(block) ?? [];
  if (data === undefined) return [];
  if (block.startsWith("event: stream.closed")) throw new OperationError(JSON.parse(data) as ProblemObject);
  return [JSON.parse(data) as PresentedEvent];
}
