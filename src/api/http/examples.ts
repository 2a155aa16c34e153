import type { PresentedBudget } from "#services/budget/schema";
import type { RunEstimate } from "#services/runs/estimate-schema";
import { DEFAULT_QUOTAS, QUOTA_NAMES } from "#core/quotas";
import type { ModelList } from "#services/models/schema";
import type { PresentedProvider } from "#services/providers/schema";
import type { PresentedAgent } from "#services/agents/schema";
import type { PresentedEntry } from "#services/audit/schema";
import type { PresentedCorpus, PresentedDocument, PresentedUpload, SearchResult } from "#services/corpora/schema";
import type { PresentedOccurrence, PresentedSchedule } from "#services/schedules/schema";
import type { PresentedTemplate } from "#services/templates/schema";
import type { PresentedDataset } from "#services/datasets/schema";
import type { DatasetItem } from "#workflow-kit/datasets";
import type { PresentedInteraction } from "#services/interactions/schema";
import type { PresentedKey } from "#services/keys/schema";
import type { Metrics } from "#services/metrics/schema";
import type { UsageReport } from "#services/usage/schema";
import type { DescribedWorkflow } from "#services/runs/workflow-schema";
import type { Manifest } from "#services/runs/artifact-schema";
import type { PresentedEvent } from "#services/runs/event-schema";
import type { PresentedArtifact } from "#services/runs/artifact-schema";
import type { PresentedRun, PresentedRunEntry } from "#services/runs/schema";
import type { PresentedTenant } from "#services/tenants/schema";
import type { LeasedDeliveries, PresentedDelivery, PresentedEndpoint } from "#services/webhooks/schema";
import { DEFAULT_OPENAI_MODEL } from "#services/providers/schema";
import { exampleId } from "#services/fields/schema";

/** One example of each resource for the docs. */

const MODEL = `openai/${DEFAULT_OPENAI_MODEL}`;
const AT = "2026-11-21T09:30:00.000Z";
const USAGE = {
  llm_calls: 4,
  input_tokens: 5210,
  cached_input_tokens: 2048,
  output_tokens: 1630,
  reasoning_tokens: 0,
  cost_usd: 0.0042,
};
const MODELS = {
  default: MODEL,
  roles: { collector: { model: MODEL, temperature: 0, max_output_tokens: 3000 } },
  embedding: null,
  seed: null,
};

export const EXAMPLE_RUN: PresentedRun = {
  object: "run",
  id: exampleId("run"),
  workflow: "requirements",
  workflow_version: 1,
  mode: "live",
  status: "input_required",
  stage: "elicitation",
  about: { title: null, excerpt: "A shelf in the hall where neighbours lend each other books." },
  requested_by: "Grace, product team",
  input: { idea: "A shelf in the hall where neighbours lend each other books." },
  options: {
    model_kind: "use_case",
    num_user_stories: 5,
    qa_rounds: 2,
    human_stakeholder: true,
    max_iterations: 3,
    reinterview: false,
    accept_at: "minor",
    relation_calls: "listed",
    strategy: "mare",
    profile: "default",
    reviews: [],
    interaction_timeout: "7d",
    on_expiry: "proceed",
  },
  models: MODELS,
  limits: { max_llm_calls: 200, max_tokens: null, max_cost_usd: 1.5, timeout: "2h", provider_wait: "15m" },
  asks_about: ["requirement_question"],
  metadata: { customer: "42" },
  webhook: {
    id: exampleId("whe"),
    url: "https://example.com/hooks/parley",
    events: ["run.input_required", "run.completed"],
    status: "enabled",
  },
  test: null,
  output: null,
  error: null,
  interactions: [exampleId("int")],
  failing_providers: [],
  usage: USAGE,
  parent_id: null,
  children: null,
  progress: { stages_done: [], steps_done: 4 },
  created_at: AT,
  started_at: AT,
  updated_at: AT,
  finished_at: null,
};

const { input: _input, options: _options, ...entry } = EXAMPLE_RUN;
/** The run as lists show it. */
export const EXAMPLE_RUN_ENTRY: PresentedRunEntry = entry;

export const EXAMPLE_ESTIMATE: RunEstimate = {
  object: "run_estimate",
  workflow: "requirements",
  calls: { low: 9, high: 21 },
  input_tokens: { low: 18_400, high: 61_200 },
  output_tokens: { low: 6100, high: 23_800 },
  cost_usd: { low: 0.0372, high: 0.1407 },
  unpriced_models: [],
  earlier_runs: 12,
  children: [],
  notes: ["Repairs of unusable answers, embeddings and rounds of agents' tools are left out."],
};

export const EXAMPLE_ARTIFACT: PresentedArtifact = {
  object: "artifact",
  id: exampleId("art"),
  run_id: exampleId("run"),
  kind: "requirement_draft",
  subject: "",
  version: 1,
  role: "collector",
  caused_by: "write_requirement_draft",
  sent_from: "collector",
  send_to: ["modeler"],
  inputs: [],
  generation: 1,
  iteration: 1,
  stage: "elicitation",
  step: "elicitation/write_requirement_draft#1",
  media_type: "text/markdown",
  size: 21,
  sha256: "d1f4c7c1e4a7e0d1b6b7a2a0c9f7e5d3b1a09f8e7d6c5b4a39281706f5e4d3c2",
  model: MODEL,
  output_mode: "markdown",
  parameters: { max_output_tokens: 3000 },
  dropped_parameters: { temperature: 0 },
  response_model: DEFAULT_OPENAI_MODEL,
  prompt_hash: "0f6b2d3c",
  repairs: 0,
  tries: 1,
  usage: { ...USAGE, llm_calls: 1 },
  duration_ms: 2140,
  created_at: AT,
};

export const EXAMPLE_MODELS: ModelList = {
  data: [
    {
      object: "model",
      model: MODEL,
      default: true,
      shutdown_date: null,
      price: { input: 1, cached_input: 0.05, output: 5, reasoning: null },
    },
  ],
  unavailable: [],
  next_cursor: null,
};

export const EXAMPLE_PROVIDER: PresentedProvider = {
  object: "provider",
  name: "openai",
  configured: true,
  key_required: false,
  key: { hint: "x7Qa", created_at: AT },
};

export const EXAMPLE_MANIFEST: Manifest = {
  object: "manifest",
  run_id: exampleId("run"),
  workflow: "requirements",
  workflow_version: 1,
  code_version: "0.1.0",
  models: MODELS,
  actions: [
    {
      action: "write_requirement_draft",
      role: "collector",
      prompt_hash: "0f6b2d3c",
      code_versions: ["0.1.0"],
      models: [MODEL],
      output_modes: ["markdown"],
      response_models: [DEFAULT_OPENAI_MODEL],
      parameters: [{ max_output_tokens: 3000 }],
      dropped_parameters: [{ temperature: 0 }],
      steps: 1,
      repairs: 0,
      tries: 1,
      artifacts: [exampleId("art")],
    },
  ],
  notes: [`The role collector requests temperature 0. ${MODEL} or its API does not support this, so it was not sent.`],
  usage_by_action: [{ action: "write_requirement_draft", steps: 1, usage: { ...USAGE, llm_calls: 1 } }],
  usage_by_model: [{ model: MODEL, steps: 1, usage: { ...USAGE, llm_calls: 1 } }],
};

const USED = { ...USAGE, unpriced_calls: 0 };
export const EXAMPLE_USAGE_REPORT: UsageReport = {
  object: "usage",
  from: "2026-11-21",
  to: "2026-11-21",
  group_by: ["day", "model"],
  data: [{ day: "2026-11-21", model: MODEL, ...USED }],
  total: USED,
};

export const EXAMPLE_EVENT: PresentedEvent = {
  id: exampleId("evt"),
  seq: 9,
  type: "run.input_required",
  run_id: exampleId("run"),
  created_at: AT,
  data: {
    interaction_id: exampleId("int"),
    kind: "clarification",
    stage: "elicitation",
    status: "input_required",
    expires_at: "2026-11-22T09:00:00.000Z",
    assignee: null,
    link: 1,
  },
};

export const EXAMPLE_INTERACTION: PresentedInteraction = {
  object: "interaction",
  id: exampleId("int"),
  run_id: exampleId("run"),
  about: EXAMPLE_RUN.about,
  requested_by: EXAMPLE_RUN.requested_by,
  kind: "clarification",
  status: "open",
  stage: "elicitation",
  prompt: "The Collector would like to know more before it writes the draft.",
  artifacts: [exampleId("art")],
  questions: [{ id: "q1", text: "How many people use the shelf?", type: "text", required: true, dimension: "scale" }],
  answer_schema: {
    type: "object",
    properties: {
      answers: {
        type: "object",
        properties: { q1: { type: "string", minLength: 1 } },
        required: ["q1"],
        additionalProperties: false,
      },
    },
    required: ["answers"],
    additionalProperties: false,
  },
  answer: null,
  answered_by: null,
  assignee: null,
  callback_url: `https://parley.example.com/v1/callbacks/${exampleId("int")}.bWFj`,
  expires_at: "2026-11-28T09:30:00.000Z",
  on_expiry: "proceed",
  created_at: AT,
  answered_at: null,
};

export const EXAMPLE_ANSWERED: PresentedInteraction = {
  ...EXAMPLE_INTERACTION,
  status: "answered",
  answer: { answers: { q1: "Twenty readers a day." } },
  answered_by: "Ada",
  answered_at: "2026-11-21T10:05:00.000Z",
};

/** Creates the agent below. */
export const EXAMPLE_CREATE_AGENT = {
  name: "Shipping Clerk",
  description: "Looks up parcels and shipping rates of our warehouse.",
  capabilities: ["Find a parcel by its number", "Quote the rate of a parcel by weight and destination"],
  when_to_use: "For questions about parcels that we sent, or what sending one costs. Not for other carriers.",
  input: "A parcel number, or weight in kilograms and destination country.",
  output: "The parcel's last known place and date, or a rate in euros.",
  instructions:
    "You answer questions about parcels with the warehouse tools. Say so when a parcel is not found; never guess a rate.",
  tools: ["calculator"],
  mcp_servers: [
    { name: "warehouse", url: "https://mcp.example.com/mcp", headers: { Authorization: "Bearer example-token" } },
  ],
  model: MODEL,
};

export const EXAMPLE_AGENT: PresentedAgent = {
  ...EXAMPLE_CREATE_AGENT,
  object: "agent",
  id: exampleId("agt"),
  built_in: false,
  unavailable_tools: [],
  mcp_servers: [{ name: "warehouse", url: "https://mcp.example.com/mcp", header_names: ["Authorization"] }],
  created_at: AT,
  updated_at: AT,
};

export const EXAMPLE_CREATE_TEMPLATE = {
  name: "Weekly check of an idea",
  request: { workflow: "requirements", input: { idea: "{{idea}}" }, options: { qa_rounds: 1 } },
  fields: {
    idea: { type: "string" as const, description: "What is to be built.", example: "A calendar for a choir." },
  },
};

export const EXAMPLE_TEMPLATE: PresentedTemplate = {
  ...EXAMPLE_CREATE_TEMPLATE,
  object: "template",
  id: exampleId("tpl"),
  mode: "live",
  description: "",
  version: 1,
  workflow: "requirements",
  created_at: AT,
  updated_at: AT,
};

export const EXAMPLE_CREATE_SCHEDULE = {
  name: "Mondays",
  template_id: exampleId("tpl"),
  cron: "30 8 * * MON",
  time_zone: "Europe/Lisbon",
  fields: { idea: "A calendar for a choir." },
};

export const EXAMPLE_SCHEDULE: PresentedSchedule = {
  ...EXAMPLE_CREATE_SCHEDULE,
  object: "schedule",
  id: exampleId("sch"),
  mode: "live",
  key_id: exampleId("key"),
  overlap: "skip",
  catch_up: "last",
  status: "active",
  next_times: ["2026-11-23T08:30:00.000Z", "2026-11-30T08:30:00.000Z"],
  last_run_id: null,
  created_at: AT,
  updated_at: AT,
};

export const EXAMPLE_OCCURRENCE: PresentedOccurrence = {
  object: "occurrence",
  schedule_id: exampleId("sch"),
  due_at: AT,
  outcome: "started",
  run_id: exampleId("run"),
  reason: null,
  settled_at: AT,
};

export const EXAMPLE_CREATE_DATASET = {
  name: "Sums for the fourth year",
  workflow: "waterfall",
  metadata: { edition: "2026" },
};

export const EXAMPLE_ITEM: DatasetItem = {
  id: "sums-1",
  input: { requirement: "Three boxes hold eight apples each. How many apples are there?" },
  gold: { number: 24 },
  tags: ["multiplication"],
};

export const EXAMPLE_DATASET: PresentedDataset = {
  ...EXAMPLE_CREATE_DATASET,
  object: "dataset",
  id: exampleId("dst"),
  mode: "live",
  description: "",
  status: "closed",
  items: 20,
  bytes: 4120,
  content_hash: "9f2c1d0b7a6e5f4433221100ffeeddccbbaa99887766554433221100aabbccdd",
  created_at: AT,
  updated_at: AT,
  closed_at: AT,
};

export const EXAMPLE_BUDGET: PresentedBudget = {
  object: "budget",
  amount_usd: 100,
  at_limit: "refuse",
  month: "2026-11",
  spent_usd: 51.2,
  unpriced_calls: 0,
  reached: [50],
  resets_at: "2026-12-01T00:00:00.000Z",
};

export const EXAMPLE_CREATE_CORPUS = { name: "Statutes of the bar", language: "pt-BR", metadata: { edition: "2018" } };

export const EXAMPLE_CORPUS: PresentedCorpus = {
  ...EXAMPLE_CREATE_CORPUS,
  object: "corpus",
  id: exampleId("cor"),
  mode: "live",
  description: "",
  embedding_model: "openai/text-embedding-3-small",
  status: "ready",
  failure: null,
  counts: { documents: 1, ready_documents: 1, passages: 2, embedded_passages: 2 },
  usage: {
    llm_calls: 3,
    input_tokens: 412,
    cached_input_tokens: 0,
    output_tokens: 0,
    reasoning_tokens: 0,
    cost_usd: 0.00000824,
  },
  created_at: AT,
  updated_at: AT,
};

const DOCUMENT = {
  source: "Lei 8.906/1994",
  title: "Estatuto da Advocacia e da OAB",
  jurisdiction: "BR",
  language: "pt-BR",
  date: "1994-07-04",
  url: "https://www.planalto.gov.br/ccivil_03/leis/l8906.htm",
  external_id: "lei8906:art34-35",
};
const ARTICLE = "Art. 35. As sanções disciplinares consistem em censura, suspensão, exclusão e multa.";

export const EXAMPLE_CREATE_DOCUMENT = { ...DOCUMENT, text: `Art. 34. Constitui infração disciplinar: …\n${ARTICLE}` };

export const EXAMPLE_DOCUMENT: PresentedDocument = {
  ...DOCUMENT,
  object: "document",
  id: exampleId("doc"),
  corpus_id: exampleId("cor"),
  upload_id: null,
  metadata: {},
  size: 135,
  sha256: "d1f4c7c1e4a7e0d1b6b7a2a0c9f7e5d3b1a09f8e7d6c5b4a39281706f5e4d3c2",
  passages: 2,
  status: "embedding",
  created_at: AT,
};

export const EXAMPLE_UPLOAD: PresentedUpload = {
  object: "upload",
  id: exampleId("upl"),
  corpus_id: exampleId("cor"),
  status: "indexing",
  size: 760827,
  bytes_read: 760827,
  counts: { lines: 653, added: 652, unchanged: 0, invalid: 1, ready: 400 },
  errors: [{ line: 17, errors: [{ path: "source", code: "required", message: "This field is required." }] }],
  failure: null,
  created_at: AT,
  read_at: AT,
};

export const EXAMPLE_SEARCH: SearchResult = {
  object: "search",
  query: "Which sanctions are there?",
  method: "hybrid",
  embedding_model: "openai/text-embedding-3-small",
  data: [
    {
      ...DOCUMENT,
      object: "passage",
      id: `${exampleId("doc")}.2`,
      document_id: exampleId("doc"),
      heading: "Art. 35",
      excerpt: ARTICLE,
      start: 42,
      end: 42 + ARTICLE.length,
      snippet: { text: ARTICLE, start: 42, end: 42 + ARTICLE.length },
      scores: { fused: 0.0328, bm25: 7.41, embedding: 0.62 },
    },
  ],
};

export const EXAMPLE_KEY: PresentedKey = {
  object: "key",
  id: exampleId("key"),
  name: "backend",
  mode: "test",
  scopes: ["runs:read", "runs:write"],
  workflows: null,
  hint: "a9Zq",
  created_at: AT,
  last_used_at: null,
  expires_at: null,
  revoked_at: null,
  rolled_to: null,
};

export const EXAMPLE_AUDIT_ENTRY: PresentedEntry = {
  object: "audit_entry",
  id: exampleId("aud"),
  created_at: AT,
  actor: "key",
  actor_id: exampleId("key"),
  mode: "test",
  action: "createRun",
  object_type: "run",
  object_id: exampleId("run"),
  request_id: "6b2f1c0e-8d1e-4a57-9f3e-0f4a2f6d7c11",
  outcome: "done",
};

export const EXAMPLE_TENANT: PresentedTenant = {
  object: "tenant",
  id: exampleId("ten"),
  name: "Acme",
  created_at: AT,
};

export const EXAMPLE_METRICS: Metrics = {
  object: "metrics",
  taken_at: AT,
  runs: [
    { workflow: "requirements", mode: "live", status: "completed", runs: 12, ...USAGE },
    { workflow: "requirements", mode: "live", status: "input_required", runs: 1, ...USAGE },
  ],
  corpora: [{ mode: "live", corpora: 1, llm_calls: 3, input_tokens: 412, cost_usd: 0.00000824 }],
  stalled_runs: 0,
  open_interactions: 1,
  oldest_queued_since: null,
  webhook_deliveries: { pending: 0, failed: 1 },
  quotas: Object.fromEntries(
    QUOTA_NAMES.map((name) => [name, { used: 0, limit: DEFAULT_QUOTAS[name] }]),
  ) as Metrics["quotas"],
};

export const EXAMPLE_ENDPOINT: PresentedEndpoint = {
  object: "webhook_endpoint",
  id: exampleId("whe"),
  run_id: null,
  kind: "http",
  delivery: "push",
  format: "events",
  url: "https://example.com/hooks/parley",
  events: ["run.input_required", "run.completed", "run.failed", "webhook_endpoint.disabled"],
  description: "Production backend",
  status: "enabled",
  disabled_because: null,
  disabled_at: null,
  previous_secret_expires_at: null,
  created_at: AT,
  updated_at: AT,
};

/** A secret as it is shown once: 32 bytes of zero. */
export const EXAMPLE_SECRET = `whsec_${"A".repeat(43)}=`;

export const EXAMPLE_DELIVERY: PresentedDelivery = {
  object: "delivery",
  id: exampleId("del"),
  endpoint_id: exampleId("whe"),
  event_id: exampleId("evt"),
  run_id: null,
  type: "webhook.ping",
  status: "pending",
  body: JSON.stringify({
    type: "webhook.ping",
    timestamp: AT,
    data: { event: { id: exampleId("evt") }, endpoint: { id: exampleId("whe"), run_id: null } },
  }),
  attempts: [
    {
      attempt: 1,
      started_at: AT,
      duration_ms: 84,
      request: {
        url: "https://example.com/hooks/parley",
        headers: {
          "content-type": "application/json",
          "user-agent": "Parley/0.1.0",
          "webhook-id": exampleId("evt"),
          "webhook-timestamp": "1795253400",
          "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        },
      },
      response: { status: 503, body: "try later" },
      error: "Answered 503.",
    },
  ],
  next_attempt_at: "2026-11-21T09:30:05.000Z",
  leased_until: null,
  created_at: AT,
  settled_at: null,
};

export const EXAMPLE_LEASED: LeasedDeliveries = {
  object: "leased_deliveries",
  data: [
    {
      id: EXAMPLE_DELIVERY.id,
      event_id: EXAMPLE_DELIVERY.event_id,
      run_id: null,
      type: EXAMPLE_DELIVERY.type,
      attempt: 1,
      leased_until: "2026-11-21T09:31:00.000Z",
      headers: EXAMPLE_DELIVERY.attempts[0]!.request!.headers,
      body: EXAMPLE_DELIVERY.body,
    },
  ],
};

export const EXAMPLE_WORKFLOW: DescribedWorkflow = {
  object: "workflow",
  name: "requirements",
  version: 1,
  title: "Requirements engineering",
  summary: "Turns a rough idea into a requirements specification.",
  source: { title: "The paper", url: "https://example.com/paper" },
  stages: ["elicitation", "modeling", "verification", "specification"],
  roles: [
    {
      name: "collector",
      summary: "Asks, and writes the draft.",
      decoding: { temperature: 0 },
      paper_decoding: { temperature: 0, max_output_tokens: 3000 },
    },
  ],
  actions: [
    {
      name: "write_requirement_draft",
      role: "collector",
      kind: "requirement_draft",
      summary: "Writes the requirements draft.",
      outcomes: ["accept"],
    },
  ],
  kinds: { requirement_draft: "The requirements as first written down." },
  review_kinds: ["requirement_draft"],
  input: { type: "object", properties: { idea: { type: "string" } }, required: ["idea"] },
  options: { type: "object", properties: { qa_rounds: { type: "integer", default: 2 } } },
  paper_options: { qa_rounds: 1 },
  output: { type: "object", properties: { accepted: { type: "boolean" } } },
  example: {
    input: { idea: "A shelf in the hall where neighbours lend each other books." },
    options: { qa_rounds: 1 },
  },
};
