import { z } from "zod";

/** Every enumeration of the API, defined once. Schemas, docs and code import them from here. */

export const RUN_STATUSES = [
  "queued",
  "running",
  "input_required",
  "paused",
  "completed",
  "failed",
  "canceled",
] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];
export const runStatusSchema = z.enum(RUN_STATUSES).meta({ id: "RunStatus" });

/** Statuses that a run does not leave by itself; `retry` accepts the last two. */
export const TERMINAL_STATUSES = ["completed", "failed", "canceled"] as const satisfies readonly RunStatus[];

export const EVENT_TYPES = [
  "run.created",
  "run.started",
  "run.stage_started",
  "run.stage_completed",
  "run.artifact_created",
  "run.input_required",
  "run.input_received",
  "run.input_expired",
  "run.input_extended",
  "run.input_reassigned",
  "run.input_withdrawn",
  "run.input_reminder",
  "run.stalled",
  "run.provider_failing",
  "run.provider_recovered",
  "run.paused",
  "run.resumed",
  "run.retried",
  "run.completed",
  "run.failed",
  "run.canceled",
  "run.budget_warning",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Events that ask a person for an answer: their webhooks show the question with its link. */
export const ASKING_EVENTS = [
  "run.input_required",
  "run.input_reassigned",
  "run.input_reminder",
] as const satisfies readonly EventType[];

export const TERMINAL_EVENTS = ["run.completed", "run.failed", "run.canceled"] as const satisfies readonly EventType[];

/** `cause` of `run.stalled`: why the run makes no progress, as far as that is known. */
export const STALL_CAUSES = {
  not_started: "no instance has started it",
  provider_failing: "its model provider keeps failing; `last_failure` has the error",
  silent: "its instance has committed nothing since then, and no failure is recorded",
} as const;
export type StallCause = keyof typeof STALL_CAUSES;

/** Events that a run's own webhook receives when the request names none. */
export const DEFAULT_WEBHOOK_EVENTS = [
  "run.input_required",
  "run.completed",
  "run.failed",
  "run.canceled",
] as const satisfies readonly EventType[];

/** Message types besides the events of runs. A ping is sent to the endpoint it was requested for, whatever types that subscribes to. */
const ENDPOINT_DISABLED = "webhook_endpoint.disabled";
const SCHEDULE_FAILED = "schedule.failed";
const BUDGET_REACHED = "budget.reached";
const MODEL_RETIRING = "model.retiring";
export const PING = "webhook.ping";

/** Types that an endpoint can subscribe to. */
export const WEBHOOK_TYPES = [
  ...EVENT_TYPES,
  ENDPOINT_DISABLED,
  SCHEDULE_FAILED,
  BUDGET_REACHED,
  MODEL_RETIRING,
] as const;
export type WebhookType = (typeof WEBHOOK_TYPES)[number];

/** Types that can be delivered to an endpoint. */
export const DELIVERY_TYPES = [...WEBHOOK_TYPES, PING] as const;
export type DeliveryType = (typeof DELIVERY_TYPES)[number];

/** Types that a tenant's endpoint receives when it names none. */
export const DEFAULT_ENDPOINT_TYPES = [
  ...DEFAULT_WEBHOOK_EVENTS,
  ENDPOINT_DISABLED,
  SCHEDULE_FAILED,
  BUDGET_REACHED,
  MODEL_RETIRING,
] as const satisfies readonly WebhookType[];

/** When a budget is spent: new live runs are refused, or not. */
export const AT_LIMITS = ["refuse", "alarm"] as const;

/** Types that an endpoint of kind `slack` or `email` receives when it names none. */
export const DEFAULT_NOTICE_TYPES = [
  ...ASKING_EVENTS,
  "run.completed",
  "run.failed",
  SCHEDULE_FAILED,
  BUDGET_REACHED,
  MODEL_RETIRING,
] as const satisfies readonly WebhookType[];

/** How an endpoint is notified: by a signed webhook, by an incoming webhook of Slack, or by mail. */
export const ENDPOINT_KINDS = ["http", "slack", "email"] as const;
export type EndpointKind = (typeof ENDPOINT_KINDS)[number];

export const ENDPOINT_STATUSES = ["enabled", "disabled"] as const;

/** Why an endpoint is disabled: it answered 410; the last retry failed and no other delivery succeeded; its owner disabled it. */
export const DISABLED_BECAUSE = ["receiver_gone", "retries_failed", "by_request"] as const;
export type DisabledBecause = (typeof DISABLED_BECAUSE)[number];

/** How an endpoint gets its deliveries: by requests to its URL, or by its consumer's own requests. */
/** Of the bodies of deliveries: our events, or the objects of A2A. */
export const ENDPOINT_FORMATS = ["events", "a2a"] as const;
export type EndpointFormat = (typeof ENDPOINT_FORMATS)[number];

export const DELIVERY_WAYS = ["push", "poll"] as const;

export const DELIVERY_STATUSES = ["pending", "delivered", "failed"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const INTERACTION_KINDS = ["clarification", "feedback", "approval"] as const;
export type InteractionKind = (typeof INTERACTION_KINDS)[number];

export const INTERACTION_STATUSES = ["open", "answered", "expired", "withdrawn", "canceled"] as const;
export type InteractionStatus = (typeof INTERACTION_STATUSES)[number];

export const QUESTION_TYPES = ["text", "choice", "boolean", "number"] as const;

export type AnswerValue = string | number | boolean | null;

/** One question of an interaction. */
export interface Question {
  id: string;
  text: string;
  type: (typeof QUESTION_TYPES)[number];
  choices?: string[];
  required: boolean;
  default?: AnswerValue;
  /** Topic of the question, e.g. `purpose`. */
  dimension?: string;
  /** The artifact of the interaction that it is about, if it is about one alone. */
  artifact_id?: string;
}

/** The person who shall answer a question: a name, an address of mail, or both. */
export const assigneeSchema = z
  .strictObject({ name: z.string().nullable(), email: z.string().nullable() })
  .meta({ id: "Assignee" });

export const ON_EXPIRY = ["proceed", "fail"] as const;
export type OnExpiry = (typeof ON_EXPIRY)[number];

/** How a workflow runs its method: with what improves its results, or as the paper describes it. */
export const PROFILES = ["default", "paper"] as const;
export type Profile = (typeof PROFILES)[number];

export const SCOPES = ["runs:read", "runs:write", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

export const MODES = ["test", "live"] as const;
export type Mode = (typeof MODES)[number];
export const modeSchema = z
  .enum(MODES)
  .meta({ id: "Mode", description: "The mode of the key that made it; test mode uses the mock model." });

/** The author of an entry of the audit log: an API key; a person at a callback URL, without a key; the operator of the deployment. */
export const AUDIT_ACTORS = ["key", "interaction", "operator"] as const;
export type AuditActor = (typeof AUDIT_ACTORS)[number];

/** `refused`: the key has no right to it. */
export const AUDIT_OUTCOMES = ["done", "refused"] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/** Faults that `test.faults.llm` can inject, one per request. */
export const LLM_FAULTS = [
  "rate_limited",
  "server_error",
  "timeout",
  "malformed",
  "truncated",
  "refusal",
  "ok",
] as const;
export type LlmFault = (typeof LLM_FAULTS)[number];

/** Modes of structured output, best first; a call steps down when the model refuses one. */
export const OUTPUT_MODES = ["json_schema", "json_object", "text"] as const;
