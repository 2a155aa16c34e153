import type {
  AtLimit,
  AuditActor,
  AuditOutcome,
  DeliveryStatus,
  DeliveryType,
  DeliveryWay,
  DisabledBecause,
  EndpointFormat,
  EndpointKind,
  EndpointStatus,
  EventType,
  InteractionKind,
  InteractionStatus,
  Mode,
  OnExpiry,
  RunStatus,
} from "#core/vocabulary";
import type { MessageType } from "#core/events";
import type { Page } from "#core/page";

/** Rows as stored in D1: times in milliseconds, JSON as text. test/workers/store/rows.test.ts compares them with the tables. */

export interface RunRow {
  id: string;
  tenant_id: string;
  workflow: string;
  workflow_version: number;
  /** JSON: names of the patches that the run follows. */
  patches: string;
  mode: Mode;
  input: string | null;
  input_key: string | null;
  /** Empty when they are large and in R2 under `options_key`. */
  options: string;
  options_key: string | null;
  models: string;
  limits: string;
  metadata: string;
  test: string | null;
  origin: string;
  /** Title and excerpt of the input, for people. */
  title: string | null;
  excerpt: string;
  requested_by: string | null;
  phase: "queued" | "running" | "completed" | "failed" | "canceled";
  epoch: number;
  generation: number;
  generations: string;
  paused: 0 | 1;
  pauses: number;
  open_interactions: number;
  status: RunStatus;
  stage: string | null;
  steps_done: number;
  llm_calls: number;
  input_tokens: number;
  cached_input_tokens: number;
  output_tokens: number;
  cost_usd: number | null;
  reserved_calls: number;
  reserved_tokens: number;
  reserved_cost_usd: number;
  active_ms: number;
  /** The part of the active time in which the run only waited for permits of providers. */
  queued_ms: number;
  active_since: number | null;
  budget_warned: number;
  output: string | null;
  error: string | null;
  heartbeat_at: number;
  /** Since when the run waits for one of its tenant's slots; null once it has a slot. */
  queued_at: number | null;
  nudged_at: number;
  stalled_at: number | null;
  /** JSON: `LastFailure`. */
  trouble: string | null;
  /** JSON: data of the event `run.stalled`. */
  stalled_because: string | null;
  /** JSON: model -> `ProviderOutage`, of the models that do not answer at the moment. */
  outages: string;
  created_at: number;
  started_at: number | null;
  updated_at: number;
  finished_at: number | null;
  /** Bytes that the run counts in its tenant's quota. */
  stored_bytes: number;
  /** JSON: kinds of artifacts about which it may ask a person; null in runs from before this column. */
  asks_about: string | null;
  /** The run that started it; null: a request did. */
  parent_id: string | null;
  /** Act and generation of the parent that started it. */
  child_group: string | null;
  /** Its name within the group. */
  child_key: string | null;
  /** Equal for children that can stand for each other; null: none can stand for this run. */
  reuse_key: string | null;
  awaits_children: 0 | 1;
  /** How often it has waited for children. */
  child_waits: number;
  /** Key of the object with its rows and texts; null: they are in D1. */
  archive_key: string | null;
  /** JSON, of an archived run: `[stage, generation, completed][]` in the order of `StageStore.newestOfRuns`. */
  archive_stages: string | null;
  /** Since when it waits to be archived; null: since its end. */
  archive_base: number | null;
}

/** Sums over the children of a run. */
export interface RunTreeRow {
  run_id: string;
  tenant_id: string;
  /** How many children may be under way at once. */
  slots: number;
  total: number;
  /** In the queue. */
  waiting: number;
  /** In a slot. */
  active: number;
  input_required: number;
  completed: number;
  failed: number;
  canceled: number;
  llm_calls: number;
  input_tokens: number;
  cached_input_tokens: number;
  output_tokens: number;
  cost_usd: number | null;
  reserved_calls: number;
  reserved_tokens: number;
  reserved_cost_usd: number;
}

/** A key for a model provider that a tenant has brought. */
export interface ProviderKeyRow {
  /** `<tenant>/<mode>/<provider>` */
  id: string;
  tenant_id: string;
  mode: Mode;
  provider: string;
  sealed: string;
  /** Its last four characters. */
  hint: string;
  created_at: number;
}

/** The latest failed attempt of an act that is retried. */
export interface LastFailure {
  act: string;
  code: string;
  /** Milliseconds. */
  at: number;
}

/** A run as lists read it: without the texts that may be long. `options` is set in runs that have no `asks_about`. */
export type RunEntryRow = Omit<RunRow, "input" | "input_key" | "options" | "options_key"> & { options: string | null };

export interface BudgetRow {
  tenant_id: string;
  picodollars: number;
  at_limit: AtLimit;
  /** YYYY-MM of `spent`. */
  month: string;
  /** Picodollars. */
  spent: number;
  updated_at: number;
}

export interface ArtifactRow {
  id: string;
  run_id: string;
  act: string;
  generation: number;
  epoch: number;
  kind: string;
  subject: string;
  version: number;
  iteration: number;
  stage: string;
  action: string;
  role: string;
  sent_from: string;
  send_to: string;
  inputs: string;
  media_type: string;
  content: string | null;
  content_key: string | null;
  size: number;
  sha256: string;
  model: string | null;
  rung: string | null;
  parameters: string | null;
  prompt_hash: string | null;
  repairs: number;
  tries: number;
  llm_calls: number;
  input_tokens: number;
  cached_input_tokens: number;
  output_tokens: number;
  cost_usd: number | null;
  duration_ms: number;
  created_at: number;
  execution: string | null;
  completed_seq: number | null;
  ok: 0 | 1 | null;
  code_version: string | null;
}

export interface TenantRow {
  id: string;
  name: string;
  created_at: number;
  /** When its removal began. */
  removed_at: number | null;
}

export interface StageRow {
  run_id: string;
  stage: string;
  iteration: number;
  generation: number;
  started_at: number;
  completed_at: number | null;
}

/** An end of a run that telemetry has not reported yet. */
export interface RunEndRow {
  run_id: string;
  /** The epoch that ended; a cancel has increased the run's epoch since. */
  epoch: number;
  tenant_id: string;
  phase: "completed" | "failed" | "canceled";
  ended_at: number;
  due_at: number;
  attempts: number;
  counted: 0 | 1;
}

export interface InteractionRow {
  id: string;
  tenant_id: string;
  mode: Mode;
  run_id: string;
  act: string;
  generation: number;
  epoch: number;
  kind: InteractionKind;
  status: InteractionStatus;
  stage: string;
  prompt: string;
  artifacts: string;
  questions: string;
  answer_schema: string;
  answer: string | null;
  answered_by: string | null;
  on_expiry: OnExpiry;
  expires_at: number;
  acknowledged: 0 | 1;
  created_at: number;
  settled_at: number | null;
  assignee_name: string | null;
  assignee_email: string | null;
  /** Number of the link that answers it. */
  link: number;
  /** 1: it was withdrawn; its status is `expired`. */
  withdrawn: 0 | 1;
}

export interface EventRow {
  id: string;
  run_id: string;
  seq: number;
  type: EventType;
  data: string;
  created_at: number;
}

export interface KeyRow {
  id: string;
  tenant_id: string;
  name: string;
  mode: Mode;
  hash: string;
  hint: string;
  scopes: string;
  created_at: number;
  last_used_at: number | null;
  revoked_at: number | null;
  expires_at: number | null;
  /** JSON: names of the workflows that the key is bound to; null: all. */
  workflows: string | null;
  /** Id of the key that replaces it. */
  rolled_to: string | null;
}

export interface AuditRow {
  tenant_id: string;
  /** Counts the tenant's entries. */
  seq: number;
  id: string;
  created_at: number;
  actor: AuditActor;
  actor_id: string | null;
  mode: Mode;
  action: string;
  object_type: string | null;
  object_id: string | null;
  request_id: string | null;
  outcome: AuditOutcome;
}

export interface AgentRow {
  id: string;
  tenant_id: string;
  mode: Mode;
  name: string;
  /** The name in the form that comparisons use. */
  name_key: string;
  description: string;
  /** JSON: array of texts. */
  capabilities: string;
  when_to_use: string;
  input: string;
  output: string;
  instructions: string;
  /** JSON: array of names. */
  tools: string;
  /** JSON: array of {name, url, header_names, sealed_headers}. */
  mcp_servers: string;
  model: string | null;
  created_at: number;
  updated_at: number;
}

export interface EndpointRow {
  id: string;
  tenant_id: string;
  mode: Mode;
  /** The run that declared the webhook; null for an endpoint of the whole tenant. */
  run_id: string | null;
  delivery: DeliveryWay;
  kind: EndpointKind;
  /** Empty when deliveries are polled; `mailto:` and an address; of Slack only the origin. */
  url: string;
  /** JSON: array of event types. */
  events: string;
  description: string;
  /** Of the bodies: our events, or the objects of A2A. */
  format: EndpointFormat;
  /** Encrypted JSON: headers of each delivery that are secrets of the receiver. */
  headers: string | null;
  /** Encrypted, like `previous_secret`; of Slack the whole URL. */
  secret: string;
  previous_secret: string | null;
  previous_secret_until: number | null;
  status: EndpointStatus;
  disabled_because: DisabledBecause | null;
  disabled_at: number | null;
  created_at: number;
  updated_at: number;
}

/** A webhook message that is not an event of a run. */
export interface MessageRow {
  id: string;
  tenant_id: string;
  mode: Mode;
  endpoint_id: string | null;
  type: MessageType;
  data: string;
  created_at: number;
}

export interface DeliveryRow {
  id: string;
  /** Id of an event or of a message. */
  event_id: string;
  endpoint_id: string;
  tenant_id: string;
  run_id: string | null;
  type: DeliveryType;
  status: DeliveryStatus;
  attempts: number;
  /** Attempts since the delivery was last requested. */
  round_attempts: number;
  round_began_at: number;
  /** When it is attempted next; of a polled one, when it fails unless it is acknowledged. */
  next_attempt_at: number | null;
  created_at: number;
  settled_at: number | null;
  polled: 0 | 1;
  /** Of the event, where deliveries are polled. */
  seq: number | null;
  lease: string | null;
  leased_until: number | null;
}

export interface CorpusRow {
  id: string;
  tenant_id: string;
  mode: Mode;
  name: string;
  description: string;
  language: string | null;
  metadata: string;
  embedding_model: string | null;
  due_at: number | null;
  attempts: number;
  failure: string | null;
  /** Embedding requests, failed ones included. */
  llm_calls: number;
  input_tokens: number;
  /** null while no price is known. */
  cost_usd: number | null;
  created_at: number;
  updated_at: number;
  /** Number of the corpus's pool. */
  pool: number;
  documents: number;
  /** Documents that are not ready yet. */
  unready: number;
  /** Uploads that are not completely read yet. */
  unread: number;
  passages: number;
  embedded: number;
}

export interface TemplateRow {
  id: string;
  tenant_id: string;
  mode: Mode;
  name: string;
  description: string;
  version: number;
  workflow: string;
  /** JSON: the body of `POST /v1/runs`, with placeholders. */
  request: string;
  /** JSON: what the placeholders stand for. */
  fields: string;
  created_at: number;
  updated_at: number;
}

export interface ScheduleRow {
  id: string;
  tenant_id: string;
  mode: Mode;
  template_id: string;
  key_id: string;
  origin: string;
  name: string;
  cron: string;
  time_zone: string;
  /** JSON: values of the template's fields. */
  fields: string;
  overlap: "skip" | "queue" | "cancel_other";
  catch_up: "none" | "last" | "all";
  paused: 0 | 1;
  next_at: number | null;
  last_run_id: string | null;
  created_at: number;
  updated_at: number;
}

export interface OccurrenceRow {
  schedule_id: string;
  due_at: number;
  tenant_id: string;
  outcome: "started" | "skipped" | "failed";
  run_id: string | null;
  reason: string | null;
  settled_at: number;
}

export interface DatasetRow {
  id: string;
  tenant_id: string;
  mode: Mode;
  name: string;
  description: string;
  /** The workflow whose inputs its items hold. */
  workflow: string;
  metadata: string;
  items: number;
  /** Of its items. */
  bytes: number;
  /** Names the transaction that added items last. */
  latest_upload: string | null;
  /** null while it is open. */
  content_hash: string | null;
  closed_at: number | null;
  created_at: number;
  updated_at: number;
}

export interface DatasetItemRow {
  position: number;
  dataset_id: string;
  tenant_id: string;
  item_id: string;
  content: string | null;
  content_key: string | null;
  size: number;
  sha256: string;
}

export interface DocumentRow {
  id: string;
  pool: number;
  external_id: string | null;
  digest: string;
  upload_id: string | null;
  title: string | null;
  source: string;
  jurisdiction: string | null;
  language: string | null;
  date: string | null;
  url: string | null;
  metadata: string;
  content: string | null;
  content_key: string | null;
  size: number;
  sha256: string;
  passages: number;
  /** Bytes that it counts in its tenant's quota, passages included. */
  stored_bytes: number;
  status: "indexing" | "embedding" | "ready";
  created_at: number;
}

export interface UploadRow {
  id: string;
  tenant_id: string;
  corpus_id: string;
  key: string;
  size: number;
  position: number;
  lines: number;
  added: number;
  unchanged: number;
  faulty: number;
  /** JSON: the first faults. */
  faults: string;
  created_at: number;
  read_at: number | null;
  /** Documents of the upload that still exist: not ready yet, and ready. */
  unready: number;
  ready: number;
}

export interface AttemptRow {
  delivery_id: string;
  attempt: number;
  started_at: number;
  duration_ms: number;
  /** null when the request could not be built. */
  url: string | null;
  /** JSON. */
  request_headers: string | null;
  response_status: number | null;
  response_body: string | null;
  error: string | null;
}

export interface IdempotencyRow {
  scope: string;
  path: string;
  key: string;
  fingerprint: string;
  owner: string;
  claimed_at: number;
  expires_at: number;
  /** Id of what a request under the key has made or changed; null until one has. */
  made: string | null;
  run_id: string | null;
  /** null until the response is known. */
  status: number | null;
  headers: string | null;
  body: string | null;
  body_key: string | null;
  body_size: number;
}

/** A page from `limit + 1` rows: the extra row only shows that a next page exists. */
export function toPage<Row>(rows: Row[], limit: number, key: (row: Row) => string): Page<Row> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { rows: shown, next: rows.length > limit && last ? key(last) : null };
}
