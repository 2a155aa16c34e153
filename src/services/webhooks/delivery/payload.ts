import { callbackUrl, presentInteraction } from "../../interactions/present-interaction";
import { toTime } from "../../fields/time";
import type { Secrets } from "#core/secrets";
import type { InteractionRow, MessageRow, RunRow } from "#store/rows";
import type { EventToDeliver, DeliveryContent } from "#store/webhooks";

/** Bodies stay under this, as Standard Webhooks advises. Bytes of UTF-8. */
export const BODY_LIMIT = 20_000;

/** Something that was left out for its size: its place in `data`, and the path that has it. */
interface Truncation {
  field: string;
  path: string;
}

type Json = Record<string, unknown>;

/** The body of a delivery, the same at every attempt. */
export const bodyOf = (told: DeliveryContent, secrets: Secrets): string =>
  told.is === "message" ? messageBody(told.message) : webhookBody(told.event, told.run, told.interaction, secrets);

/** The body of what is told beside the events of runs. */
const messageBody = ({ id, type, data, created_at }: MessageRow): string =>
  JSON.stringify({ type, timestamp: toTime(created_at), data: { event: { id }, ...(JSON.parse(data) as Json) } });

/**
 * The body of an event's webhook: `{type, timestamp, data}`. It is made from what never changes, so every retry sends
 * the same bytes: what a receiver should know of the present it GETs.
 * @param interaction of a `run.input_required`, whose opening is shown; null for any other event
 */
export function webhookBody(
  event: EventToDeliver,
  run: RunRow,
  interaction: InteractionRow | null,
  secrets: Secrets,
): string {
  const { status, ...told } = JSON.parse(event.data) as Json;
  const data: Json = {
    event: { id: event.id, seq: event.seq },
    run: {
      object: "run",
      id: run.id,
      workflow: run.workflow,
      mode: run.mode,
      status,
      stage: event.stage,
      metadata: JSON.parse(run.metadata),
      created_at: toTime(run.created_at),
    },
    ...told,
    ...(event.type === "run.completed" && { output: JSON.parse(run.output ?? "null") }),
    ...(interaction && {
      interaction: opening(interaction, callbackUrl(run.origin, secrets.callbackToken(interaction.id))),
    }),
    truncated: [],
  };
  return fit({ type: event.type, timestamp: toTime(event.created_at), data }, [
    ...["answer_schema", "artifacts", "questions", "prompt"].map((field) => ({
      field: `interaction.${field}`,
      path: `/v1/interactions/${interaction?.id}`,
    })),
    ...["output", "error", "run.metadata"].map((field) => ({ field, path: `/v1/runs/${run.id}` })),
  ]);
}

/** The interaction as it was when the event was written, whatever has become of it since. */
const opening = (row: InteractionRow, callback_url: string) =>
  presentInteraction({ ...row, status: "open", answer: null, answered_by: null, settled_at: null }, { callback_url });

/** Leaves out one thing after the other, dearest last, until the body is small enough. */
function fit(body: { type: string; timestamp: string; data: Json }, droppable: Truncation[]): string {
  const truncated = body.data.truncated as Truncation[];
  for (const part of droppable) {
    const text = JSON.stringify(body);
    if (Buffer.byteLength(text) < BODY_LIMIT) return text;
    if (remove(body.data, part.field.split("."))) truncated.push(part);
  }
  return JSON.stringify(body);
}

function remove(from: Json, [key = "", ...rest]: string[]): boolean {
  if (!(key in from)) return false;
  if (rest.length) return remove(from[key] as Json, rest);
  return delete from[key];
}
