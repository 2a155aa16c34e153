import { aboutOf } from "../../fields/about";
import { toTime } from "../../fields/time";
import type { Secrets } from "#core/secrets";
import type { MessageRow } from "#store/rows";
import type { DeliveryContent, LoadedDelivery } from "#store/deliveries";
import type { MessageType } from "#core/events";
import type { EventType } from "#core/vocabulary";
import { presentEvent } from "../../fields/present-event";
import type { EventWebhook, MessageWebhook } from "../message-schema";
import { a2aBody } from "./a2a-body";
import { presentOpened } from "./opened";

/** Bodies stay below this size, as Standard Webhooks recommends. Bytes of UTF-8. */
export const BODY_LIMIT = 20_000;

/** A field that may be left out for its size: its path in `data`, and the API path where it can be read. */
interface Truncation {
  field: string;
  path: string;
  /** Characters that remain of a field that is shortened, because its schema requires it. */
  keeps?: number;
}

type Json = Record<string, unknown>;
type EventContent = Omit<Extract<DeliveryContent, { is: "event" }>, "is">;

/** The body of a delivery, the same at every attempt. */
export function bodyOf({ format, content }: Pick<LoadedDelivery, "format" | "content">, secrets: Secrets): string {
  if (format === "a2a") return a2aBody(content, secrets);
  return content.is === "message" ? messageBody(content.message) : webhookBody(content, secrets);
}

/** The body of a message that is no event of a run. */
const messageBody = ({ id, type, data, created_at }: MessageRow): string =>
  JSON.stringify({
    type,
    timestamp: toTime(created_at),
    data: { event: { id }, ...JSON.parse(data) },
  } satisfies MessageWebhook<MessageType>);

/**
 * The body of an event's webhook: `{type, timestamp, data}`. It is built from data that never changes, so every retry sends the same
 * bytes; a receiver reads the current state with a GET.
 * @param content.interaction the one of an event that asks for an answer, shown as it was then; null for any other event
 */
export function webhookBody({ event: row, run, interaction }: EventContent, secrets: Secrets): string {
  const event = presentEvent(row);
  const data: EventWebhook<EventType>["data"] = {
    event,
    run: {
      object: "run",
      id: run.id,
      workflow: run.workflow,
      mode: run.mode,
      status: event.data.status,
      stage: row.stage,
      ...aboutOf(run),
      metadata: JSON.parse(run.metadata),
      created_at: toTime(run.created_at),
    },
    ...(event.type === "run.completed" && { output: JSON.parse(run.output ?? "null") }),
    ...(interaction && {
      interaction: presentOpened(interaction, event.data, run, secrets),
    }),
    truncated: [],
  };
  const ofRun = { path: `/v1/runs/${run.id}` };
  return fit({ type: event.type, timestamp: event.created_at, data }, [
    ...["answer_schema", "artifacts", "questions", "prompt"].map((field) => ({
      field: `interaction.${field}`,
      path: `/v1/interactions/${interaction?.id}`,
    })),
    { field: "output", ...ofRun },
    { field: "event.data.error.errors", ...ofRun },
    { field: "event.data.error.detail", ...ofRun, keeps: 1000 },
    { field: "run.metadata", ...ofRun },
  ]);
}

/** Leaves out one field after the other, the most important last, until the body is small enough. */
function fit({ data, ...body }: EventWebhook<EventType>, droppable: Truncation[]): string {
  for (const { field, path, keeps } of droppable) {
    const text = JSON.stringify({ ...body, data });
    if (Buffer.byteLength(text) < BODY_LIMIT) return text;
    if (shorten(data as unknown as Json, field.split("."), keeps)) data.truncated.push({ field, path });
  }
  return JSON.stringify({ ...body, data });
}

/** Removes a field, or keeps its first characters. False when there is none. */
function shorten(from: Json, [key = "", ...rest]: string[], keeps?: number): boolean {
  if (!(key in from)) return false;
  if (rest.length) return shorten(from[key] as Json, rest, keeps);
  if (keeps === undefined) return delete from[key];
  from[key] = (from[key] as string).slice(0, keeps);
  return true;
}
