import { callbackUrl, presentInteraction } from "../../interactions/present-interaction";
import { aboutOf } from "../../fields/about";
import { toTime } from "../../fields/time";
import type { Secrets } from "#core/secrets";
import type { InteractionRow, MessageRow, RunEntryRow } from "#store/rows";
import type { DeliveryContent } from "#store/webhooks";

/** Bodies stay below this size, as Standard Webhooks recommends. Bytes of UTF-8. */
export const BODY_LIMIT = 20_000;

/** A field that was left out for its size: its path in `data`, and the API path where it can be read. */
interface Truncation {
  field: string;
  path: string;
}

type Json = Record<string, unknown>;
type EventContent = Omit<Extract<DeliveryContent, { is: "event" }>, "is">;

/** The body of a delivery, the same at every attempt. */
export const bodyOf = (content: DeliveryContent, secrets: Secrets): string =>
  content.is === "message" ? messageBody(content.message) : webhookBody(content, secrets);

/** The body of a message that is no event of a run. */
const messageBody = ({ id, type, data, created_at }: MessageRow): string =>
  JSON.stringify({ type, timestamp: toTime(created_at), data: { event: { id }, ...(JSON.parse(data) as Json) } });

/**
 * The body of an event's webhook: `{type, timestamp, data}`. It is built from data that never changes, so every retry sends the same
 * bytes; a receiver reads the current state with a GET.
 * @param content.interaction the one of a `run.input_required`, shown as it was opened; null for any other event
 */
export function webhookBody({ event, run, interaction }: EventContent, secrets: Secrets): string {
  const { status, ...details } = JSON.parse(event.data) as Json;
  const data: Json = {
    event: { id: event.id, seq: event.seq },
    run: {
      object: "run",
      id: run.id,
      workflow: run.workflow,
      mode: run.mode,
      status,
      stage: event.stage,
      ...aboutOf(run),
      metadata: JSON.parse(run.metadata),
      created_at: toTime(run.created_at),
    },
    ...details,
    ...(event.type === "run.completed" && { output: JSON.parse(run.output ?? "null") }),
    ...(interaction && {
      interaction: presentOpened(interaction, run, callbackUrl(run.origin, secrets.callbackToken(interaction.id))),
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

/** The interaction as it was when it was opened, whatever its status is now. */
const presentOpened = (row: InteractionRow, run: RunEntryRow, callback_url: string) =>
  presentInteraction({ ...row, status: "open", answer: null, answered_by: null, settled_at: null }, run, callback_url);

/** Leaves out one field after the other, the most important last, until the body is small enough. */
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
