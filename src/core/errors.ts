/** Every error that Parley can tell of, once. Runtime, OpenAPI and docs are made from this table. */

export interface ErrorEntry {
  /** HTTP status; of a run's own `error`, the status that a call which met it would have had. */
  status: 400 | 401 | 403 | 404 | 405 | 409 | 410 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504;
  title: string;
  /** What to do about it. */
  help: string;
}

const table = <T extends Record<string, ErrorEntry>>(entries: T) => entries;

export const ERRORS = table({
  // Answers of the API
  malformed_json: { status: 400, title: "The body is not JSON", help: "Send one JSON document, UTF-8 encoded." },
  invalid_query: {
    status: 400,
    title: "A query parameter is not valid",
    help: "See `errors` for the parameter and the values it takes.",
  },
  invalid_cursor: {
    status: 400,
    title: "The cursor is not one of ours",
    help: "Pass `next_cursor` of the page before, unchanged.",
  },
  invalid_idempotency_key: {
    status: 400,
    title: "The Idempotency-Key is not valid",
    help: "Send 1 to 255 visible ASCII characters, such as a UUID; or leave the header out.",
  },
  unauthenticated: {
    status: 401,
    title: "No valid API key",
    help: "Send `Authorization: Bearer parley_…` with a key that exists.",
  },
  key_revoked: {
    status: 401,
    title: "The API key was revoked",
    help: "Use another key; an admin key can make one at POST /v1/keys.",
  },
  missing_scope: {
    status: 403,
    title: "The API key lacks a scope",
    help: "Use a key with the scope that `detail` names.",
  },
  not_found: { status: 404, title: "Not found", help: "Check the id; ids of other tenants are not found either." },
  method_not_allowed: { status: 405, title: "The path does not take this method", help: "See the `Allow` header." },
  wrong_state: {
    status: 409,
    title: "The run is in a state that does not allow this",
    help: "See the table of states and verbs in the docs.",
  },
  idempotency_key_in_flight: {
    status: 409,
    title: "The first request with this Idempotency-Key is still being answered",
    help: "Send it again after `Retry-After`; a first request that died gives its key back after 60 seconds.",
  },
  already_answered: {
    status: 409,
    title: "The interaction was answered otherwise",
    help: "The first valid answer stands; read the interaction to see it.",
  },
  key_in_use: {
    status: 409,
    title: "The key is the one that makes this request",
    help: "Revoke it with another admin key.",
  },
  name_taken: {
    status: 409,
    title: "Another agent has this name",
    help: "Choose another name, or change the agent that has it.",
  },
  registry_full: {
    status: 409,
    title: "There are as many agents as a tenant can have",
    help: "Delete or change agents that are no longer used.",
  },
  built_in_agent: {
    status: 409,
    title: "The agent is built in",
    help: "Built-in agents are read-only; create one of your own at POST /v1/agents.",
  },
  duplicate_document: {
    status: 409,
    title: "Another document has this external_id",
    help: "Delete that document first, or choose another `external_id`.",
  },
  wrong_mode: {
    status: 409,
    title: "The key is of the other mode",
    help: "Corpora of test keys are changed with test keys, those of live keys with live keys; all of them can be read and searched.",
  },
  no_vectors: {
    status: 409,
    title: "The corpus has no vectors that this key may use",
    help: "Search with `method: bm25`, or leave it out; vectors need an embedding model, and a key of the corpus's mode.",
  },
  too_many_webhook_endpoints: {
    status: 409,
    title: "The tenant has as many webhook endpoints as are possible",
    help: "Delete one, or have one endpoint take more types of events.",
  },
  webhook_endpoint_disabled: {
    status: 409,
    title: "The webhook endpoint is disabled",
    help: 'Put it into service again with PATCH /v1/webhook-endpoints/{id} and `{"status": "enabled"}`.',
  },
  interaction_expired: {
    status: 410,
    title: "The interaction has expired",
    help: "The run went on, or failed, without an answer; `retry` asks again what failed.",
  },
  interaction_canceled: {
    status: 410,
    title: "The interaction was canceled with its run",
    help: "Nothing waits for this answer any more.",
  },
  payload_too_large: {
    status: 413,
    title: "The body is too large",
    help: "Bodies may have 1 MiB, documents and uploads of documents 20 MiB.",
  },
  unsupported_media_type: {
    status: 415,
    title: "The body is not declared as JSON",
    help: "Send `Content-Type: application/json`; uploads of documents are `application/x-ndjson`.",
  },
  validation_failed: {
    status: 422,
    title: "The request does not fit its schema",
    help: "`errors` lists every fault with its path.",
  },
  invalid_text: {
    status: 422,
    title: "The text cannot be indexed",
    help: "Send text or Markdown in UTF-8; take the text out of PDF and other formats first.",
  },
  idempotency_key_reused: {
    status: 422,
    title: "The Idempotency-Key came with another request before",
    help: "Use a new key for each request, and the same key only to repeat it unchanged.",
  },
  unknown_workflow: { status: 422, title: "There is no such workflow", help: "GET /v1/workflows lists them." },
  unknown_provider: {
    status: 422,
    title: "There is no such model provider",
    help: "`detail` lists the providers that are configured.",
  },
  no_model_configured: {
    status: 422,
    title: "No model is configured",
    help: "Set OPENAI_API_KEY and OPENAI_MODEL, name a model in `models`, or use a test key.",
  },
  unknown_agent: {
    status: 422,
    title: "There is no such agent",
    help: "GET /v1/agents lists the ids that there are.",
  },
  url_refused: {
    status: 422,
    title: "The URL is not one we may call",
    help: "Use https and a public host; ALLOW_PRIVATE_URLS=true lifts this for local development.",
  },
  rate_limited: {
    status: 429,
    title: "Too many requests",
    help: "Wait as `Retry-After` says; the field `RateLimit` of every answer tells how many more are possible.",
  },
  internal_error: {
    status: 500,
    title: "Something went wrong on our side",
    help: "Quote the `request_id`; nothing that was committed is lost.",
  },

  // How a run can fail; `retry` goes on from the last finished step
  budget_exceeded: {
    status: 422,
    title: "The next step would pass one of the run's limits",
    help: "`retry` with higher `limits` goes on from here.",
  },
  workflow_changed: {
    status: 409,
    title: "The code of this workflow has changed since the run began",
    help: "`retry` takes the run up with the new code.",
  },
  result_too_large: {
    status: 500,
    title: "A step's result is larger than the platform stores",
    help: "Ask for less (fewer stories, shorter documents) and start another run.",
  },
  interaction_unanswered: {
    status: 410,
    title: "A question was not answered in time",
    help: "`retry` asks it again; `on_expiry: proceed` would have gone on without.",
  },
  provider_rate_limited: {
    status: 503,
    title: "The model provider kept refusing for its rate limit",
    help: "`retry` later, or use another model.",
  },
  provider_unavailable: {
    status: 503,
    title: "The model provider kept failing",
    help: "`retry` later, or use another model.",
  },
  provider_unreachable: {
    status: 502,
    title: "The model provider could not be reached",
    help: "Check the provider's base URL; `retry` goes on from here.",
  },
  provider_timeout: {
    status: 504,
    title: "The model provider did not answer in time",
    help: "`retry`, or use a faster model.",
  },
  provider_refused_request: {
    status: 502,
    title: "The model provider refused the request",
    help: "`detail` holds what it said: often a key, a model name or a parameter.",
  },
  provider_input_too_long: {
    status: 502,
    title: "The request is longer than the model can read",
    help: "Choose a model with a larger context for the role, or give the run less to read.",
  },
  output_truncated: {
    status: 502,
    title: "The model's output was cut off at its token limit",
    help: "Raise `max_output_tokens` of the role in `models`, then `retry`.",
  },
  output_empty: { status: 502, title: "The model answered with nothing", help: "`retry`, or use another model." },
  output_refused: {
    status: 502,
    title: "The model refused to answer",
    help: "Rephrase the input, or use another model.",
  },
  output_invalid: {
    status: 502,
    title: "The model's output did not fit its schema, nor did its repair",
    help: "`retry`, or use a stronger model.",
  },
});

export type ErrorCode = keyof typeof ERRORS;

/** One fault of a request: where, which, and what to do. */
export interface Fault {
  /** Dotted path into the body, e.g. `options.metamodel.relation_types.0.from`; `""` is the body itself. */
  path: string;
  code: string;
  message: string;
}

/** An error that is part of the interface: HTTP answers with it, a failed run carries it. */
export class Problem extends Error {
  override name = "Problem";
  constructor(
    readonly code: ErrorCode,
    readonly detail: string,
    readonly faults: Fault[] = [],
    /** Seconds after which it may go better. */
    readonly retry_after?: number,
  ) {
    super(`${code}: ${detail}`);
  }
}

/** The body of an error, RFC 9457: what HTTP answers with, and what a failed run carries as `error`. */
export interface ProblemObject {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ErrorCode;
  errors?: Fault[];
}

export function problemObject(code: ErrorCode, detail: string, faults: readonly Fault[] = []): ProblemObject {
  const { title, status } = ERRORS[code];
  return {
    type: `/docs/errors#${code}`,
    title,
    status,
    detail,
    code,
    ...(faults.length ? { errors: [...faults] } : {}),
  };
}
