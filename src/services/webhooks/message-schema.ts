import { z } from "zod";
import {
  componentName,
  EVENT_SCHEMAS,
  MESSAGE_DATA,
  type MessageData,
  type MessageType,
  summaryOf,
} from "#core/events";
import type { EventOf } from "#core/events";
import { EVENT_TYPES, type EventType } from "#core/vocabulary";
import { aboutFields } from "../fields/about";
import { id, jsonObject, modeSchema, runStatusSchema, time } from "../fields/schema";
import { interactionSchema } from "../interactions/schema";

/** The bodies of webhooks, by type: the envelope of Standard Webhooks, and in it the event as streams and pages show it. */

const runSchema = z
  .strictObject({
    object: z.literal("run"),
    id: id("run"),
    workflow: z.string(),
    mode: modeSchema,
    status: runStatusSchema,
    stage: z.string().nullable(),
    ...aboutFields,
    metadata: z.record(z.string(), z.string()).optional(),
    created_at: time,
  })
  .meta({ id: "WebhookRun", description: "The run as it was at the event. `metadata` may be left out for its size." });

const LEFT_OUT = { prompt: true, artifacts: true, questions: true, answer_schema: true } as const;

const askedSchema = interactionSchema.partial(LEFT_OUT).meta({
  id: "WebhookInteraction",
  description: `The interaction as it was at the event. ${Object.keys(LEFT_OUT)
    .map((field) => `\`${field}\``)
    .join(", ")} may be left out for their size.`,
});

/** Fields of a type's body beside event and run. */
const EXTRAS = {
  "run.input_required": { interaction: askedSchema },
  "run.input_reassigned": { interaction: askedSchema },
  "run.input_reminder": { interaction: askedSchema },
  "run.completed": {
    output: jsonObject
      .nullable()
      .optional()
      .describe("In the form of the workflow's output, documents as references; may be left out for its size."),
  },
} satisfies Partial<Record<EventType, z.core.$ZodShape>>;
type Extras = typeof EXTRAS;
type ExtraOf<T> = T extends keyof Extras ? z.infer<z.ZodObject<Extras[T], z.core.$strict>> : {};

const truncatedSchema = z
  .array(z.strictObject({ field: z.string(), path: z.string() }))
  .describe(
    "What was left out or shortened for the size of the body: its path in `data`, and the API path that shows it.",
  );

/** The body of a webhook about an event of a run. */
export interface EventWebhook<T extends EventType> {
  type: T;
  timestamp: string;
  data: { event: EventOf<T>; run: z.infer<typeof runSchema>; truncated: z.infer<typeof truncatedSchema> } & ExtraOf<T>;
}
/** The body of a webhook that is about no run. */
export interface MessageWebhook<T extends MessageType> {
  type: T;
  timestamp: string;
  data: { event: { id: string } } & MessageData<T>;
}
/** The body of a webhook: a union by `type`. */
export type Webhook =
  | { [T in EventType]: EventWebhook<T> }[EventType]
  | { [T in MessageType]: MessageWebhook<T> }[MessageType];

const envelope = (type: EventType | MessageType, data: z.core.$ZodShape) =>
  z
    .strictObject({
      type: z.literal(type),
      timestamp: time.describe("When the event was."),
      data: z.strictObject(data),
    })
    .meta({ id: `${componentName(type)}Webhook`, description: summaryOf(type) });

/** The schema of each type of webhook. */
export const WEBHOOK_SCHEMAS: readonly z.ZodObject<{ type: z.ZodLiteral<EventType | MessageType> }>[] = [
  ...EVENT_TYPES.map((type) =>
    envelope(type, {
      event: EVENT_SCHEMAS[type],
      run: runSchema,
      ...(EXTRAS as Partial<Record<EventType, z.core.$ZodShape>>)[type],
      truncated: truncatedSchema,
    }),
  ),
  ...Object.entries(MESSAGE_DATA).map(([type, data]) =>
    envelope(type as MessageType, { event: z.strictObject({ id: id("evt") }), ...data.shape }),
  ),
] as never;

export const webhookSchema = z
  .discriminatedUnion("type", WEBHOOK_SCHEMAS as unknown as [z.ZodObject, ...z.ZodObject[]])
  .meta({ id: "Webhook", description: "The body of a webhook, by `type`." }) as unknown as z.ZodType<Webhook>;
