import { z } from "zod";
import { time } from "./duration";
import { runErrorSchema } from "./errors";
import { id } from "./ids";
import { failingProviderSchema } from "./provider-outages";
import { limitsSchema } from "./run-settings";
import {
  AT_LIMITS,
  type DeliveryType,
  DISABLED_BECAUSE,
  type EventType,
  INTERACTION_KINDS,
  STALL_CAUSES,
  assigneeSchema,
  type StallCause,
  modeSchema,
  runStatusSchema,
} from "./vocabulary";

/**
 * The registry of events: what each type tells, and the form of its data. The union of the API, the document's webhooks, the docs and the types of
 * the code that writes events are made from it. Triggers in `migrations` write the rest; test/workers/store/events.test.ts compares them with it.
 */

const stage = z.strictObject({ stage: z.string(), iteration: z.int().describe("How often the stage was entered.") });

const epoch = z.strictObject({ epoch: z.int().describe("One more with each retry.") });

const asked = {
  interaction_id: id("int"),
  kind: z.enum(INTERACTION_KINDS),
  stage: z.string(),
};

/** A question that is open, as it is at the event. */
const opened = {
  ...asked,
  expires_at: time,
  assignee: z.union([assigneeSchema, z.null()]),
  link: z.int().describe("Number of the link that answers it: one more whenever it is addressed anew."),
  child_id: id("run").optional().describe("The child run that asks; absent: the run itself does."),
};

const changed = z.strictObject({ ...opened, key_id: id("key").describe("The key by which it was done.") });

const closed = z.strictObject({ ...asked, answered_by: z.string().nullable() });

const causes = Object.entries(STALL_CAUSES)
  .map(([cause, meaning]) => `\`${cause}\`: ${meaning}`)
  .join("; ");

/** By type: a line, and the data without the run's status, which every event has. */
const EVENTS = {
  "run.created": {
    summary: "The run is stored, and will start.",
    data: z.strictObject({ workflow: z.string(), mode: modeSchema }),
  },
  "run.started": { summary: "An instance executes the run.", data: epoch },
  "run.stage_started": { summary: "A stage was entered.", data: stage },
  "run.stage_completed": { summary: "A stage is done.", data: stage },
  "run.artifact_created": {
    summary: "An action has made an artifact.",
    data: z.strictObject({
      artifact_id: id("art"),
      kind: z.string(),
      version: z.int(),
      step: z.string(),
      stage: z.string(),
      role: z.string(),
      action: z.string(),
    }),
  },
  "run.input_required": {
    summary: "The run asks a person.",
    data: z.strictObject(opened),
  },
  "run.input_received": { summary: "The question was answered.", data: closed },
  "run.input_expired": { summary: "Nobody answered in time.", data: closed },
  "run.input_extended": { summary: "The question has a later deadline.", data: changed },
  "run.input_reassigned": {
    summary: "The question was addressed to somebody else; its earlier link is refused.",
    data: changed,
  },
  "run.input_withdrawn": { summary: "The question was withdrawn; the run continues without an answer.", data: changed },
  "run.input_reminder": { summary: "The question will expire soon.", data: z.strictObject(opened) },
  "run.stalled": {
    summary: "The run makes no progress.",
    data: z.strictObject({
      cause: z.enum(Object.keys(STALL_CAUSES) as StallCause[]).describe(`${causes}.`),
      stage: z.string().nullable(),
      last_heartbeat_at: time,
      last_step: z.string().nullable().describe("The last one that was committed."),
      last_failure: z
        .strictObject({ step: z.string(), code: z.string(), at: time })
        .nullable()
        .describe("The latest failed attempt since that step."),
      instance: z.string().describe("The platform's status of the run's instance."),
    }),
  },
  "run.provider_failing": {
    summary: "A model does not answer; once for each outage of a model.",
    data: failingProviderSchema,
  },
  "run.provider_recovered": {
    summary: "A model answers again.",
    data: failingProviderSchema.omit({ next_attempt_at: true }),
  },
  "run.paused": { summary: "The run was paused.", data: z.strictObject({}) },
  "run.resumed": { summary: "The run continues after a pause.", data: z.strictObject({}) },
  "run.retried": { summary: "The run continues after it had failed or was canceled.", data: epoch },
  "run.completed": {
    summary: "The run has its output.",
    data: z.strictObject({
      accepted: z.boolean().nullable().describe("Of the output; null when the workflow's output has none."),
      stop_reason: z.string().nullable().describe("Of the output."),
    }),
  },
  "run.failed": { summary: "The run has failed.", data: z.strictObject({ error: runErrorSchema }) },
  "run.canceled": { summary: "The run was canceled.", data: epoch },
  "run.budget_warning": {
    summary: "The run has used most of a limit.",
    data: z.strictObject({
      limits: limitsSchema,
      usage: z.strictObject({
        llm_calls: z.int(),
        input_tokens: z.int(),
        output_tokens: z.int(),
        cost_usd: z.number().nullable(),
      }),
    }),
  },
} satisfies Record<EventType, { summary: string; data: z.ZodObject }>;

/** What the writer of an event of this type gives: its data, without the run's status, which the database adds. */
export type EventDetails<T extends EventType> = z.infer<(typeof EVENTS)[T]["data"]>;

/** An event of this type, as the API shows it. */
export interface EventOf<T extends EventType> {
  id: string;
  seq: number;
  type: T;
  run_id: string;
  created_at: string;
  data: { status: z.infer<typeof runStatusSchema> } & EventDetails<T>;
}
/** An event of a run: a union by `type`. */
export type RunEvent = { [T in EventType]: EventOf<T> }[EventType];

/** `run.input_required` as `RunInputRequired`. */
export const componentName = (type: string): string =>
  type
    .split(/[._]/)
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join("");

const newEventSchema = <T extends EventType>(type: T) => {
  const { summary, data } = EVENTS[type];
  return z
    .strictObject({
      id: id("evt"),
      seq: z.int().min(1).describe("Dense per run, from 1."),
      type: z.literal(type),
      run_id: id("run"),
      created_at: time,
      data: z.strictObject({ status: runStatusSchema.describe("Of the run at that moment."), ...data.shape }),
    })
    .meta({ id: `${componentName(type)}Event`, description: summary });
};

/** The schema of each type of event. */
export const EVENT_SCHEMAS = Object.fromEntries(
  (Object.keys(EVENTS) as EventType[]).map((type) => [type, newEventSchema(type)]),
) as unknown as { [T in EventType]: z.ZodType<EventOf<T>> };

const endpoint = { id: id("whe"), run_id: id("run").nullable().describe("The run that has it as its own webhook.") };

/** By type: messages to webhook endpoints that are no events of runs. */
const MESSAGES = {
  "webhook.ping": {
    summary: "A test message, sent on request.",
    data: z.strictObject({ endpoint: z.strictObject(endpoint) }),
  },
  "webhook_endpoint.disabled": {
    summary: "Another endpoint was disabled, and not by its owner.",
    data: z.strictObject({
      endpoint: z.strictObject({ ...endpoint, disabled_because: z.enum(DISABLED_BECAUSE).exclude(["by_request"]) }),
    }),
  },
  "schedule.failed": {
    summary: "A time of a schedule started no run.",
    data: z.strictObject({ schedule_id: id("sch"), name: z.string(), due_at: time, reason: z.string() }),
  },
  "budget.reached": {
    summary:
      "Live mode has spent 50, 80 or 100 % of the month's budget; each once a month, unless the budget is raised.",
    data: z.strictObject({
      month: z.string(),
      percent: z.int(),
      budget_usd: z.number(),
      spent_usd: z.number(),
      at_limit: z.enum(AT_LIMITS),
    }),
  },
  "model.retiring": {
    summary:
      "A model that live templates, schedules, runs, corpora or agents name will be shut down: 60, 30 and 7 days before.",
    data: z.strictObject({
      model: z.string().describe("`<provider>/<model>`."),
      shutdown_date: z.iso.date(),
      days: z.int().describe("Days left, rounded up to 60, 30 or 7."),
      templates: z
        .array(id("tpl"))
        .describe("Up to 100 of each kind. Includes templates that name no model, if this is the default one."),
      schedules: z.array(id("sch")),
      runs: z.array(id("run")).describe("Those under way."),
      corpora: z.array(id("cor")).describe("Those whose passages the model embeds."),
      agents: z.array(id("agt")),
    }),
  },
} satisfies Record<MessageType, { summary: string; data: z.ZodObject }>;
export type MessageType = Exclude<DeliveryType, EventType>;

/** What the writer of a message of this type gives. */
export type MessageData<T extends MessageType> = z.infer<(typeof MESSAGES)[T]["data"]>;

/** The data of each type of message. */
export const MESSAGE_DATA = Object.fromEntries(
  Object.entries(MESSAGES).map(([type, { data }]) => [type, data]),
) as unknown as { [T in MessageType]: (typeof MESSAGES)[T]["data"] };

/** In a line, what an event or a message of this type tells. */
export const summaryOf = (type: DeliveryType): string => ({ ...EVENTS, ...MESSAGES })[type].summary;
