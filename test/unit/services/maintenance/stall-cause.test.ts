import { expect, it } from "vitest";
import { stallCause } from "#services/maintenance/stall-cause";
import type { StallingRun } from "#store/maintenance";

const run = (more: Partial<StallingRun>) =>
  ({
    phase: "running",
    stage: "modeling",
    heartbeat_at: 5000,
    last_failure: null,
    last_step: "elicitation/write_req_draft#1",
    last_step_at: 5000,
    ...more,
  }) as StallingRun;
const last_failure = (at: number) =>
  JSON.stringify({ step: "modeling/extract_entity#1", code: "provider_rate_limited", at });

it("a run that no instance has begun to execute has not started", () => {
  expect(stallCause(run({ phase: "queued", stage: null, last_step: null, last_step_at: null }), "missing")).toEqual({
    cause: "not_started",
    stage: null,
    last_heartbeat_at: "1970-01-01T00:00:05.000Z",
    last_step: null,
    last_failure: null,
    instance: "missing",
  });
});

it("a failure since the last step is the cause, with its code", () => {
  expect(stallCause(run({ last_failure: last_failure(6000) }), "running")).toMatchObject({
    cause: "provider_failing",
    last_step: "elicitation/write_req_draft#1",
    last_failure: {
      step: "modeling/extract_entity#1",
      code: "provider_rate_limited",
      at: "1970-01-01T00:00:06.000Z",
    },
  });
});

it("a failure from before the last step is no cause", () => {
  expect(stallCause(run({ last_failure: last_failure(4000) }), "running")).toMatchObject({
    cause: "silent",
    last_failure: null,
  });
});
