import type { Event } from "../parley.ts";
import type { Stretch } from "./time-scale.ts";

/** A time in which a stage was at work. */
export interface StageSpan extends Stretch {
  stage: string;
}

const PAUSE_EVENTS = [
  "run.stage_completed",
  "run.input_required",
  "run.provider_failing",
  "run.paused",
  "run.completed",
  "run.failed",
  "run.canceled",
];
const RESUME_EVENTS = [
  "run.input_received",
  "run.input_expired",
  "run.input_withdrawn",
  "run.provider_recovered",
  "run.resumed",
  "run.started",
];

/** When each stage was at work: between waits for people, providers and pauses. @param now end of a span that is still open */
export function stageSpans(events: readonly Event[], now: number): StageSpan[] {
  const spans: StageSpan[] = [];
  let stage: string | undefined;
  let from: number | undefined;
  for (const { type, created_at, data } of events) {
    const at = Date.parse(created_at);
    const starts = type === "run.stage_started";
    if (stage !== undefined && from !== undefined && (starts || PAUSE_EVENTS.includes(type))) {
      spans.push({ stage, from, to: at });
      from = undefined;
    }
    if (starts) stage = data.stage;
    if (type === "run.stage_completed") stage = undefined;
    if (starts || (RESUME_EVENTS.includes(type) && stage !== undefined && from === undefined)) from = at;
  }
  if (stage !== undefined && from !== undefined) spans.push({ stage, from, to: now });
  return spans;
}
