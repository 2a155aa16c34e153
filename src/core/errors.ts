import { z } from "zod";
/** Every error code of Parley. Runtime, OpenAPI and docs are generated from this table. */

export interface ErrorEntry {
  /** HTTP status. For the `error` of a run: the status that an HTTP call with this error would have. */
  status: 400 | 401 | 403 | 404 | 405 | 409 | 410 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504;
  title: string;
  /** How to fix it. */
  help: string;
}

const table = <T extends Record<string, ErrorEntry>>(entries: T) => entries;

export const ERRORS = table({
  // Answers of the API
  malformed_json: { status: 400, title: "The body is not JSON", help: "Send one JSON document, UTF-8 encoded." },
  invalid_query: {
    status: 400,
    title: "A query parameter is not valid",
    help: "`errors` names the parameter and the values that it accepts.",
  },
  invalid_cursor: {
    status: 400,
    title: "The cursor is not valid",
    help: "Send `next_cursor` of the previous page unchanged.",
  },
  invalid_idempotency_key: {
    status: 400,
    title: "The Idempotency-Key is not valid",
    help: "Send 1 to 255 visible ASCII characters, such as a UUID, or omit the header.",
  },
  unauthenticated: {
    status: 401,
    title: "No valid API key",
    help: "Send `Authorization: Bearer parley_…` with an existing key.",
  },
  key_revoked: {
    status: 401,
    title: "The API key was revoked",
    help: "Use another key; an admin key can create one with POST /v1/keys.",
  },
  key_expired: {
    status: 401,
    title: "The API key has expired",
    help: "Use another key, for example the one that it was rolled to; an admin key can create one with POST /v1/keys.",
  },
  missing_scope: {
    status: 403,
    title: "The API key lacks a scope",
    help: "Use a key that has the scope named in `detail`.",
  },
  workflow_not_allowed: {
    status: 403,
    title: "The API key is bound to other workflows",
    help: "Use a key that is bound to this workflow, or to none. A bound key reaches runs and interactions of its workflows, and reads workflows, agents, corpora, data sets and the tenant.",
  },
  foreign_origin: {
    status: 403,
    title: "The request comes from a page of another origin",
    help: "Call /mcp and /a2a from a program, or from a page at PUBLIC_URL: a browser's page of another origin is refused, so that it cannot use a key that the browser holds.",
  },
  not_found: {
    status: 404,
    title: "Not found",
    help: "Check the id, and the mode of the key: for a test key there are only objects of test keys, for a live key only those of live keys.",
  },
  method_not_allowed: { status: 405, title: "The path does not allow this method", help: "See the `Allow` header." },
  wrong_state: {
    status: 409,
    title: "The run is in a state that does not allow this",
    help: "The docs have a table of the verbs that each state allows.",
  },
  idempotency_key_in_flight: {
    status: 409,
    title: "The first request with this Idempotency-Key is still being processed",
    help: "Send it again after `Retry-After`. If the first request crashed, its key is released after 60 seconds.",
  },
  idempotency_answer_unreadable: {
    status: 409,
    title: "The answer to the first request with this Idempotency-Key can no longer be read",
    help: "The secret that sealed it is gone. What the first request made exists: lists show it. For another one use a new key.",
  },
  already_answered: {
    status: 409,
    title: "The interaction already has a different answer",
    help: "The first valid answer counts; GET the interaction to read it.",
  },
  webhook_endpoint_unsigned: {
    status: 409,
    title: "The endpoint has no signing secret",
    help: "Only endpoints of kind `http` are signed.",
  },
  answer_required: {
    status: 409,
    title: "The run cannot continue without an answer",
    help: "With `on_expiry: fail` a question is not withdrawn. Answer it, extend it, or cancel the run.",
  },
  key_ended: {
    status: 409,
    title: "The key was revoked, has expired or was rolled already",
    help: "Roll the key that replaced it (`rolled_to`), or create a new one with POST /v1/keys.",
  },
  key_in_use: {
    status: 409,
    title: "The key that makes the request cannot do this to itself",
    help: "Make this change with another admin key.",
  },
  name_taken: {
    status: 409,
    title: "Another agent has this name",
    help: "Choose another name, or change the agent that has it.",
  },
  budget_reached: {
    status: 429,
    title: "The tenant's budget for this month is spent",
    help: "Wait for the next month (UTC), or raise the budget with PUT /v1/budget.",
  },
  registry_full: {
    status: 409,
    title: "The tenant has the maximum number of agents",
    help: "Delete agents that are no longer used, or change existing ones.",
  },
  built_in_agent: {
    status: 409,
    title: "The agent is built in",
    help: "Built-in agents are read-only; create your own agent with POST /v1/agents.",
  },
  duplicate_document: {
    status: 409,
    title: "Another document has this external_id",
    help: "Delete that document first, or choose another `external_id`.",
  },
  duplicate_item: {
    status: 409,
    title: "An item of the data set has this id already",
    help: "Leave the item out, or give it another `id`. Nothing of the upload was stored.",
  },
  dataset_closed: {
    status: 409,
    title: "The data set is closed",
    help: "A closed data set never changes: create another one for a new version.",
  },
  dataset_empty: {
    status: 409,
    title: "The data set has no items",
    help: "Upload items with POST /v1/datasets/{id}/items, then close it.",
  },
  dataset_full: {
    status: 409,
    title: "The data set has no room for the items",
    help: "A data set has at most 10,000 items of 16 MiB together: put the others into another one. Nothing of the upload was stored.",
  },
  dataset_busy: {
    status: 409,
    title: "Items are still being added to the data set",
    help: "Wait until all uploads have been answered, then close it.",
  },
  dataset_in_use: {
    status: 409,
    title: "Runs that have not ended read the data set",
    help: "Cancel the runs that `detail` names, or wait until they have ended.",
  },
  unknown_template: {
    status: 422,
    title: "A template in the request does not exist",
    help: "`GET /v1/templates` lists the templates of your mode.",
  },
  template_in_use: {
    status: 409,
    title: "A schedule uses the template",
    help: "Delete the schedules that `detail` names first.",
  },
  changed_meanwhile: {
    status: 409,
    title: "Somebody else has changed it at the same time",
    help: "Read it again, and repeat the change.",
  },
  wrong_mode: {
    status: 409,
    title: "A test key cannot do this",
    help: "Use a live key: a test key makes only test keys, and cannot delete the tenant.",
  },
  no_vectors: {
    status: 409,
    title: "The corpus has no vectors",
    help: "Search with `method: bm25`, or omit `method`. Vectors need an embedding model.",
  },
  webhook_endpoint_pushes: {
    status: 409,
    title: "The webhook endpoint has a URL, to which its deliveries are sent",
    help: 'Only deliveries of an endpoint with `delivery: "poll"` are leased and acknowledged; create one.',
  },
  webhook_endpoint_disabled: {
    status: 409,
    title: "The webhook endpoint is disabled",
    help: 'Enable it with PATCH /v1/webhook-endpoints/{id} and `{"status": "enabled"}`.',
  },
  interaction_expired: {
    status: 410,
    title: "The interaction has expired",
    help: "The run continued or failed without an answer. If it failed, `retry` asks the question again.",
  },
  interaction_withdrawn: {
    status: 410,
    title: "The question was withdrawn",
    help: "The run continued without an answer.",
  },
  link_replaced: {
    status: 410,
    title: "The link is no longer valid",
    help: "The question was reassigned; `callback_url` of the interaction is the link that answers it.",
  },
  interaction_canceled: {
    status: 410,
    title: "The interaction was canceled with its run",
    help: "No run waits for this answer any more.",
  },
  payload_too_large: {
    status: 413,
    title: "The body is too large",
    help: "The maximum is 1 MiB; for documents and uploads of documents it is 20 MiB, for uploads of items 8 MiB.",
  },
  unsupported_media_type: {
    status: 415,
    title: "The Content-Type is not supported",
    help: "Send `Content-Type: application/json`, or `application/x-ndjson` for uploads of documents and items.",
  },
  validation_failed: {
    status: 422,
    title: "The request does not match its schema",
    help: "`errors` lists each error with its path.",
  },
  invalid_text: {
    status: 422,
    title: "The text cannot be indexed",
    help: "Send text or Markdown in UTF-8; extract the text of PDF and other formats first.",
  },
  idempotency_key_reused: {
    status: 422,
    title: "The Idempotency-Key was used for a different request",
    help: "Use a new key for each request; send the same key only to repeat a request unchanged.",
  },
  unknown_workflow: {
    status: 422,
    title: "The workflow does not exist",
    help: "GET /v1/workflows lists all workflows.",
  },
  unknown_provider: {
    status: 422,
    title: "The model provider does not exist",
    help: "`detail` lists the configured providers.",
  },
  no_model_configured: {
    status: 422,
    title: "No model is configured",
    help: "Set OPENAI_API_KEY, or OPENAI_BASE_URL with OPENAI_MODEL; name a model in `models`; or use a test key.",
  },
  provider_key_required: {
    status: 422,
    title: "The host asks tenants for their own keys of model providers",
    help: "Set the key with a live admin key: PUT /v1/providers/{provider}/key. A failed run continues with `retry`.",
  },
  provider_key_unreadable: {
    status: 422,
    title: "The tenant's own key for the model provider can no longer be read",
    help: "The secret that sealed it is gone. Set the key again with a live admin key: PUT /v1/providers/{provider}/key. A failed run continues with `retry`.",
  },
  provider_keys_off: {
    status: 403,
    title: "This host takes no keys of model providers from tenants",
    help: "Models are called with the host's keys.",
  },
  unknown_dataset: {
    status: 422,
    title: "The data set does not exist",
    help: "GET /v1/datasets lists all ids. A data set has the mode of the key that created it.",
  },
  dataset_open: {
    status: 422,
    title: "The data set is not closed yet",
    help: "Finish uploading, then close it with POST /v1/datasets/{id}/close: runs read only data sets that cannot change.",
  },
  unknown_agent: { status: 422, title: "The agent does not exist", help: "GET /v1/agents lists all ids." },
  url_refused: {
    status: 422,
    title: "Calling the URL is not allowed",
    help: "Use https and a public host. On a server of its own the operator may list private hosts (ALLOW_PRIVATE_HOSTS); for local development, ALLOW_PRIVATE_URLS=true allows all hosts.",
  },
  rate_limited: {
    status: 429,
    title: "Too many requests",
    help: "Wait for the seconds in `Retry-After`. The header `RateLimit` of every response has the remaining quota.",
  },
  quota_exceeded: {
    status: 429,
    title: "A quota of the tenant is used up",
    help: "`quota` names it, with what is used and the limit; `detail` says how to get room. GET /v1/metrics shows all quotas. The operator raises one with `npm run operator -- set-quota`.",
  },
  too_many_streams: {
    status: 429,
    title: "The key has too many streams of events open",
    help: "Close streams that nobody reads, or read events as pages; webhooks need no open connection. A stream whose connection broke counts for a minute at most.",
  },
  storage_unavailable: {
    status: 503,
    title: "The service's storage does not answer at the moment",
    help: "Send the request again after `Retry-After`, with the same `Idempotency-Key`. Runs continue when the storage is back.",
  },
  internal_error: { status: 500, title: "Internal error", help: "Report the `request_id`. No committed work is lost." },

  // Errors of runs; `retry` continues from the last finished step
  budget_exceeded: {
    status: 422,
    title: "The next step would exceed one of the run's limits",
    help: "`retry` with higher `limits` continues from here.",
  },
  parent_budget_exceeded: {
    status: 422,
    title: "The next step would exceed a limit of the run that started this one",
    help: "The limits of a run hold for all runs that it starts; start or `retry` it with higher `limits`.",
  },
  run_crashed: {
    status: 500,
    title: "The process crashed each time it worked on the run",
    help: "Check the inputs of the stage that it names: one may need more memory or time than a process has. `retry` continues at the same place, with other `models` or `limits` if you set them.",
  },
  workflow_changed: {
    status: 409,
    title: "The workflow's code has changed since the run started",
    help: "`retry` continues the run with the new code.",
  },
  too_many_children: {
    status: 422,
    title: "A run would start more runs than it may",
    help: "Split the work: start several runs with a part of it each.",
  },
  interaction_unanswered: {
    status: 410,
    title: "A question was not answered in time",
    help: "`retry` asks it again. With `on_expiry: proceed` a run continues without an answer.",
  },
  provider_rate_limited: {
    status: 503,
    title: "The model provider asks for a longer wait than the run allows",
    help: "`retry` later, with a higher `limits.provider_wait`, or use another model.",
  },
  provider_unavailable: {
    status: 503,
    title: "The model provider does not answer, and the run's time to wait for it is used up",
    help: "`retry` continues from here; `limits.provider_wait` says how long a run waits, and `models` may name other models to use meanwhile.",
  },
  provider_unreachable: {
    status: 502,
    title: "The model provider could not be reached",
    help: "Check the provider's base URL; `retry` continues from here.",
  },
  provider_timeout: {
    status: 504,
    title: "The model provider did not answer in time",
    help: "`retry`, or use a faster model.",
  },
  provider_refused_request: {
    status: 502,
    title: "The model provider refused the request",
    help: "`detail` has its message. Common causes are the API key, the model name or a parameter.",
  },
  provider_input_too_long: {
    status: 502,
    title: "The request does not fit into the model's context",
    help: "Choose a model with a larger context for the role, or start a run with less input.",
  },
  output_truncated: {
    status: 502,
    title: "The model's output was cut off at its token limit",
    help: "Raise `max_output_tokens` of the role in `models`, then `retry`.",
  },
  output_empty: { status: 502, title: "The model's answer was empty", help: "`retry`, or use another model." },
  output_refused: {
    status: 502,
    title: "The model refused to answer",
    help: "Rephrase the input, or use another model.",
  },
  output_invalid: {
    status: 502,
    title: "Neither the model's output nor its repair matched the schema",
    help: "`retry`, or use a stronger model.",
  },
});

export type ErrorCode = keyof typeof ERRORS;

/** One error of a request. */
export interface FieldError {
  /** Dotted path into the body, e.g. `options.metamodel.relation_types.0.from`; `""` is the body itself. */
  path: string;
  code: string;
  message: string;
}

/** The quota that refused a request. */
export interface QuotaUse {
  name: string;
  used: number;
  limit: number;
}

/** An error that callers see, in an HTTP response or as the `error` of a failed run. */
export class Problem extends Error {
  override name = "Problem";
  /** Set when the code is `quota_exceeded`. */
  readonly quota?: QuotaUse;
  constructor(
    readonly code: ErrorCode,
    readonly detail: string,
    readonly errors: FieldError[] = [],
    /** Seconds to wait before another attempt. */
    readonly retry_after?: number,
  ) {
    super(`${code}: ${detail}`);
  }
}

/** Body of an error (RFC 9457): of HTTP responses, and the `error` of a failed run. */
export interface ProblemObject {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ErrorCode;
  errors?: FieldError[];
  /** Of `quota_exceeded`, in HTTP responses. */
  quota?: QuotaUse;
}

export function problemObject(
  code: ErrorCode,
  detail: string,
  errors: readonly FieldError[] = [],
  quota?: QuotaUse,
): ProblemObject {
  const { title, status } = ERRORS[code];
  return {
    type: `/docs/errors#${code}`,
    title,
    status,
    detail,
    code,
    ...(errors.length ? { errors: [...errors] } : {}),
    ...(quota ? { quota } : {}),
  };
}

export const fieldErrorSchema = z
  .strictObject({
    path: z
      .string()
      .describe("Dotted path of the field, or the name of the query parameter; empty for the body itself."),
    code: z.string().describe("`required`, `unknown_field`, `invalid_type`, `too_small` and the like."),
    message: z.string(),
  })
  .meta({
    id: "FieldError",
    example: { path: "options.qa_rounds", code: "too_big", message: "Too big: expected number to be <=10" },
  }) satisfies z.ZodType<FieldError>;

/** Why a run failed; with `request_id`, the problem (RFC 9457) that HTTP answers with. */
export const runErrorSchema = z
  .strictObject({
    type: z.string().describe("The page that explains this error, relative to the API's base."),
    title: z.string(),
    status: z.int(),
    detail: z.string().describe("The cause in this case."),
    code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
    errors: z.array(fieldErrorSchema).optional().describe("Every error of the request."),
  })
  .meta({
    id: "RunError",
    example: problemObject("budget_exceeded", "The next call would pass max_llm_calls (20)."),
  }) satisfies z.ZodType<ProblemObject>;
