/** What triggers and services write as events is what the registry of events says, for every type. */
import { expect, it } from "vitest";
import { problemObject } from "#core/errors";
import type { EventDetails } from "#core/events";
import { EVENT_TYPES } from "#core/vocabulary";
import { stallCause } from "#services/maintenance/stall-cause";
import { eventSchema } from "#services/runs/event-schema";
import { bindings } from "../../support/parley";
import { rowOf, setUpRuns } from "../../support/runs";

const { answer, eventsOf, nextInteraction, openInteraction, runToEnd, send, start, untilStatus, verb } = setUpRuns();

const OUTAGE: EventDetails<"run.provider_failing"> = {
  provider: "openai",
  model: "openai/m",
  code: "provider_timeout",
  reason: "It does not answer in time.",
  since: "2026-11-21T09:30:00.000Z",
  next_attempt_at: "2026-11-21T09:31:00.000Z",
};

/** Changes a run, as the platform or the engine does when something happens to it. */
const change = (run: string, set: string, ...values: unknown[]) =>
  bindings.DB.prepare(`UPDATE runs SET ${set} WHERE id = ?`)
    .bind(...values, run)
    .run();

it("each type of event has the data of its schema", async () => {
  const done = await runToEnd({ options: { qa_rounds: 0 } });
  await change(
    done.id,
    "phase = 'failed', error = ?",
    JSON.stringify(problemObject("budget_exceeded", "No calls left.")),
  );

  const waiting = await start({ options: { reviews: ["requirement_draft", "specification"] } });
  const first = await openInteraction(waiting);
  const later = new Date(Date.now() + 9 * 86_400_000).toISOString();
  await send("POST", `/v1/interactions/${first.id}/extend`, { expires_at: later });
  await send("POST", `/v1/interactions/${first.id}/reassign`, { name: "Ada" });
  await bindings.DB.prepare("UPDATE interactions SET remind_at = NULL WHERE id = ?").bind(first.id).run();
  await verb(waiting, "pause");
  await verb(waiting, "resume");
  const stall = stallCause({ ...(await rowOf(waiting)), last_step: null, last_step_at: null }, "running");
  await change(waiting, "stalled_at = 1, stalled_because = ?", JSON.stringify(stall));
  await change(waiting, "outages = ?", JSON.stringify({ [OUTAGE.model]: OUTAGE }));
  await change(waiting, "outages = '{}'");
  await change(waiting, "budget_warned = 1");
  await answer(first, { decision: "approve" });
  const second = await nextInteraction(waiting, first);
  await bindings.DB.prepare("UPDATE interactions SET status = 'expired' WHERE id = ?").bind(second.id).run();
  const third = await openInteraction(await start({ options: { reviews: ["requirement_draft"] } }));
  await send("POST", `/v1/interactions/${third.id}/withdraw`);
  await verb(waiting, "cancel");
  await untilStatus(waiting, "canceled");
  await verb(waiting, "retry");

  const events = [...(await eventsOf(done)), ...(await eventsOf(waiting)), ...(await eventsOf(third.run_id))];
  for (const event of events) expect(eventSchema.safeParse(event).error, event.type).toBeUndefined();
  expect(new Set(events.map(({ type }) => type))).toEqual(new Set(EVENT_TYPES));
});
