import { describe, expect, test } from "vitest";
import { problemObject } from "#core/errors";
import { Secrets } from "#core/secrets";
import type { InteractionRow } from "#store/rows";
import type { RunEntryRow } from "#store/run-lists";
import type { EventToDeliver } from "#store/deliveries";
import { BODY_LIMIT, webhookBody } from "#services/webhooks/delivery/payload";
import { type EventWebhook, webhookSchema } from "#services/webhooks/message-schema";

const AT = Date.UTC(2026, 10, 21, 12, 30);
const secrets = new Secrets("a secret of the tests, of forty characters");

const event = (type: EventToDeliver["type"], data: Record<string, unknown>): EventToDeliver => ({
  id: "evt_01JQ0000000000000000000000",
  run_id: "run_01JQ0000000000000000000000",
  seq: 7,
  type,
  data: JSON.stringify(data),
  created_at: AT,
  stage: "elicitation",
});

const RUN: RunEntryRow = {
  id: "run_01JQ0000000000000000000000",
  tenant_id: "ten_1",
  workflow: "requirements",
  workflow_version: 1,
  mode: "test",
  stored_bytes: 0,
  asks_about: "[]",
  models: "{}",
  limits: "{}",
  metadata: '{"ticket":"A-1"}',
  test: null,
  origin: "https://parley.example",
  title: "Tool Share",
  excerpt: "Neighbours lend each other tools.",
  requested_by: "Grace",
  phase: "running",
  epoch: 1,
  generation: 1,
  generations: "{}",
  paused: 0,
  pauses: 0,
  open_interactions: 1,
  status: "input_required",
  stage: "elicitation",
  steps_done: 3,
  llm_calls: 3,
  input_tokens: 10,
  cached_input_tokens: 0,
  output_tokens: 10,
  reasoning_tokens: 0,
  cost_usd: null,
  reserved_calls: 0,
  reserved_tokens: 0,
  reserved_cost_usd: 0,
  active_ms: 0,
  queued_ms: 0,
  active_since: null,
  unended_starts: 0,
  budget_warned: 0,
  output: null,
  archive_key: null,
  archive_stages: null,
  archive_base: null,
  error: null,
  heartbeat_at: AT,
  queued_at: null,
  nudged_at: 0,
  stalled_at: null,
  last_failure: null,
  outages: "{}",
  stalled_because: null,
  created_at: AT - 60_000,
  started_at: AT,
  updated_at: AT,
  finished_at: null,
  parent_id: null,
  child_group: null,
  child_key: null,
  reuse_key: null,
  awaits_children: 0,
  child_waits: 0,
};

const INTERACTION: InteractionRow = {
  id: "int_01JQ0000000000000000000000",
  tenant_id: "ten_1",
  mode: RUN.mode,
  run_id: RUN.id,
  step: "elicitation/ask#1",
  generation: 1,
  epoch: 1,
  kind: "clarification",
  status: "open",
  stage: "elicitation",
  prompt: "Please answer.",
  artifacts: "[]",
  questions: '[{"id":"q1","text":"Who pays?"}]',
  answer_schema: '{"type":"object"}',
  answer: null,
  answered_by: null,
  on_expiry: "proceed",
  expires_at: AT + 1000,
  acknowledged: 0,
  created_at: AT,
  settled_at: null,
  assignee_name: null,
  assignee_email: null,
  link: 0,
  withdrawn: 0,
};

const asked = event("run.input_required", {
  interaction_id: INTERACTION.id,
  kind: "clarification",
  stage: "elicitation",
  status: "input_required",
  expires_at: "2026-11-21T12:30:01.000Z",
  assignee: null,
  link: 0,
});

/** The run after later changes, made since the event was written. */
const later: RunEntryRow = {
  ...RUN,
  phase: "completed",
  status: "completed",
  stage: "specification",
  steps_done: 20,
  llm_calls: 20,
  open_interactions: 0,
  epoch: 3,
  workflow_version: 2,
  limits: '{"max_llm_calls":5}',
  heartbeat_at: AT + 9,
  queued_at: null,
  updated_at: AT + 9,
  finished_at: AT + 9,
  output: '{"accepted":true}',
};

describe("run.input_required", () => {
  const body = JSON.parse(webhookBody({ event: asked, run: RUN, interaction: INTERACTION }, secrets));

  test("carries the run as it was, what it is about and who asked for it, the event and the whole interaction with its callback URL", () => {
    expect(body).toEqual({
      type: "run.input_required",
      timestamp: "2026-11-21T12:30:00.000Z",
      data: {
        event: {
          id: asked.id,
          seq: 7,
          type: "run.input_required",
          run_id: RUN.id,
          created_at: "2026-11-21T12:30:00.000Z",
          data: JSON.parse(asked.data),
        },
        run: {
          object: "run",
          id: RUN.id,
          workflow: "requirements",
          mode: "test",
          status: "input_required",
          stage: "elicitation",
          about: { title: "Tool Share", excerpt: "Neighbours lend each other tools." },
          requested_by: "Grace",
          metadata: { ticket: "A-1" },
          created_at: "2026-11-21T12:29:00.000Z",
        },
        interaction: {
          object: "interaction",
          id: INTERACTION.id,
          run_id: RUN.id,
          about: { title: "Tool Share", excerpt: "Neighbours lend each other tools." },
          requested_by: "Grace",
          kind: "clarification",
          status: "open",
          stage: "elicitation",
          prompt: "Please answer.",
          artifacts: [],
          questions: [{ id: "q1", text: "Who pays?" }],
          answer_schema: { type: "object" },
          answer: null,
          answered_by: null,
          assignee: null,
          callback_url: expect.stringContaining("https://parley.example/v1/callbacks/int_"),
          expires_at: "2026-11-21T12:30:01.000Z",
          on_expiry: "proceed",
          created_at: "2026-11-21T12:30:00.000Z",
          answered_at: null,
        },
        truncated: [],
      },
    });
  });

  test("its callback URL contains the capability to answer that interaction", () => {
    const token = new URL(body.data.interaction.callback_url).pathname.split("/").at(-1)!;
    expect(secrets.linkOf(token)).toEqual({ id: INTERACTION.id, link: 0 });
  });
});

test("a retry sends the same bytes, whatever has happened to the run and its interaction since", () => {
  const settled: InteractionRow = {
    ...INTERACTION,
    status: "answered",
    answer: '{"answers":{}}',
    answered_by: "Ana",
    acknowledged: 1,
    settled_at: AT + 5,
  };
  expect(webhookBody({ event: asked, run: later, interaction: settled }, secrets)).toBe(
    webhookBody({ event: asked, run: RUN, interaction: INTERACTION }, secrets),
  );
});

test("run.completed carries the output as stored, documents as references", () => {
  const output = {
    accepted: true,
    specification: { artifact_id: "art_1", kind: "specification" },
    stop_reason: "accepted",
  };
  const done = event("run.completed", { accepted: true, stop_reason: "accepted", status: "completed" });
  const { data } = JSON.parse(
    webhookBody({ event: done, run: { ...later, output: JSON.stringify(output) }, interaction: null }, secrets),
  );
  expect(data).toMatchObject({
    run: { status: "completed" },
    output,
    event: { data: { accepted: true } },
    truncated: [],
  });
});

test("run.failed carries the error of that failure, not of a later one", () => {
  const failed = event("run.failed", { error: { code: "provider_unreachable" }, status: "failed" });
  const { data } = JSON.parse(
    webhookBody({ event: failed, run: { ...RUN, error: '{"code":"budget_exceeded"}' }, interaction: null }, secrets),
  );
  expect(data).toMatchObject({
    run: { status: "failed" },
    event: { data: { error: { code: "provider_unreachable" } } },
  });
});

describe("a body stays under its limit", () => {
  const long = "ü".repeat(BODY_LIMIT);
  const size = (body: string) => Buffer.byteLength(body);

  test("a large answer schema is omitted first, and named with its API path", () => {
    const interaction = { ...INTERACTION, answer_schema: JSON.stringify({ description: long }) };
    const body = webhookBody({ event: asked, run: RUN, interaction }, secrets);
    const { data } = JSON.parse(body);
    expect(size(body)).toBeLessThan(BODY_LIMIT);
    expect(data.truncated).toEqual([
      { field: "interaction.answer_schema", path: `/v1/interactions/${INTERACTION.id}` },
    ]);
    expect(data.interaction).toMatchObject({ prompt: "Please answer.", questions: [{ id: "q1" }] });
    expect(data.interaction).not.toHaveProperty("answer_schema");
  });

  test("with everything large, the fields that an answer needs remain", () => {
    const huge: InteractionRow = {
      ...INTERACTION,
      prompt: long,
      questions: JSON.stringify([long]),
      answer_schema: JSON.stringify({ long }),
      artifacts: JSON.stringify([long]),
    };
    const body = webhookBody(
      { event: asked, run: { ...RUN, metadata: JSON.stringify({ long }) }, interaction: huge },
      secrets,
    );
    const { data } = JSON.parse(body);
    expect(size(body)).toBeLessThan(BODY_LIMIT);
    expect(data.interaction).toMatchObject({ id: INTERACTION.id, status: "open", callback_url: expect.any(String) });
    expect(data.truncated.map((it: { field: string }) => it.field)).toEqual([
      "interaction.answer_schema",
      "interaction.artifacts",
      "interaction.questions",
      "interaction.prompt",
      "run.metadata",
    ]);
  });

  test("a large output is omitted, and GET /v1/runs/{id} has it", () => {
    const done = event("run.completed", { accepted: true, stop_reason: "accepted", status: "completed" });
    const run = { ...later, output: JSON.stringify({ answer: long }) };
    const body = webhookBody({ event: done, run, interaction: null }, secrets);
    expect(size(body)).toBeLessThan(BODY_LIMIT);
    const { data } = JSON.parse(body);
    expect(data).not.toHaveProperty("output");
    expect(data.truncated).toEqual([{ field: "output", path: `/v1/runs/${RUN.id}` }]);
  });

  test("a large error keeps the form of the event: its list of errors is omitted, its detail shortened", () => {
    const fieldError = { path: "input", code: "too_big", message: long };
    const error = { ...problemObject("budget_exceeded", long, [fieldError]) };
    const failed = event("run.failed", { error, status: "failed" });
    const body = webhookBody({ event: failed, run: { ...RUN, status: "failed" }, interaction: null }, secrets);
    expect(size(body)).toBeLessThan(BODY_LIMIT);
    const webhook = webhookSchema.parse(JSON.parse(body)) as EventWebhook<"run.failed">;
    expect(webhook.data.event.data.error.detail).toBe(long.slice(0, 1000));
    expect(webhook.data.truncated).toEqual([
      { field: "event.data.error.errors", path: `/v1/runs/${RUN.id}` },
      { field: "event.data.error.detail", path: `/v1/runs/${RUN.id}` },
    ]);
  });
});
