/** The types of what is written as an event come from the registry: wrong data does not compile. `tsc` checks this file. */
import { expect, test } from "vitest";
import { componentName, type EventDetails, type MessageData, type RunEvent } from "#core/events";
import { EVENT_TYPES } from "#core/vocabulary";
import { eventSchema } from "#services/runs/event-schema";
import type { MaintenanceStore } from "#store/maintenance";
import type { DeliveryStore } from "#store/deliveries";

type Stored = Parameters<MaintenanceStore["markStalled"]>[1];
type Message = Parameters<DeliveryStore["enqueueMessage"]>[1];

test("wrong data of an event or of a message does not compile", () => {
  // @ts-expect-error -- there is no such cause
  const stall: Stored["cause"] = "tired";
  // @ts-expect-error -- a ping names its endpoint
  const ping: Message["data"] = {};
  // @ts-expect-error -- `model` and more are missing
  const outage: EventDetails<"run.provider_failing"> = { provider: "openai" };
  // @ts-expect-error -- an endpoint that its owner disables causes no message
  const disabled: MessageData<"webhook_endpoint.disabled">["endpoint"]["disabled_because"] = "by_request";
  expect([stall, ping, outage, disabled]).toHaveLength(4);
});

test("an event is a union by type: each type has data of its own", () => {
  const read = (event: RunEvent): string =>
    event.type === "run.failed" ? event.data.error.code : event.type === "run.stage_started" ? event.data.stage : "";
  expect(read({ type: "run.stage_started", data: { stage: "design" } } as RunEvent)).toBe("design");
});

test("an event with data of another type, or with more, is refused", () => {
  const event = {
    id: "evt_01JQ0000000000000000000000",
    seq: 1,
    type: "run.paused",
    run_id: "run_01JQ0000000000000000000000",
    created_at: "2026-11-21T09:30:00.000Z",
    data: { status: "paused" },
  };
  expect(eventSchema.safeParse(event).success).toBe(true);
  expect(eventSchema.safeParse({ ...event, type: "run.created" }).success).toBe(false);
  expect(eventSchema.safeParse({ ...event, data: { ...event.data, stage: "design" } }).success).toBe(false);
  expect(eventSchema.safeParse({ ...event, type: "run.slept" }).success).toBe(false);
});

test("each type has a name of its own in the document", () => {
  expect(new Set(EVENT_TYPES.map(componentName)).size).toBe(EVENT_TYPES.length);
  expect(componentName("run.input_required")).toBe("RunInputRequired");
});
