import type { Artifact, LiveCall, Event } from "../parley.ts";
import { stageSpans } from "./stage-spans.ts";
import type { Stretch } from "./time-scale.ts";

/** A bar of a lane. */
export interface Bar extends Stretch {
  key: string;
  label: string;
  /** `calling` is under way and not stored; `person` is a wait for an answer. */
  is: "model" | "code" | "calling" | "person";
  artifact?: string;
  /** Which line of the lane it is on, from 0: bars of a line do not overlap. */
  line: number;
}

export interface Lane {
  stage: string;
  /** When the stage was at work. */
  spans: Stretch[];
  bars: Bar[];
  lines: number;
}

type Unplaced = Omit<Bar, "line">;

/** The stages of a run as lanes, in the order in which they began, with what was done in each. */
export function lanesOf(
  artifacts: readonly Artifact[],
  events: readonly Event[],
  calls: readonly LiveCall[],
  now: number,
) {
  const lanes = new Map<string, Unplaced[]>();
  const laneOf = (stage: string) => lanes.get(stage) ?? lanes.set(stage, []).get(stage)!;
  for (const event of events) if (event.type === "run.stage_started") laneOf(event.data.stage);
  for (const artifact of artifacts) laneOf(artifact.stage).push(barOf(artifact));
  for (const { step, role, model, since } of calls) {
    const label = `${step}: ${role ?? "encoder"} is calling ${model}`;
    laneOf(step.split("/")[0]!).push({
      key: `call ${step} ${since}`,
      label,
      is: "calling",
      from: Date.parse(since),
      to: now,
    });
  }
  for (const wait of waitsOf(events, now)) laneOf(wait.stage).push(wait.bar);
  const spans = stageSpans(events, now);
  return [...lanes].map(([stage, bars]): Lane => ({
    stage,
    spans: spans.filter((span) => span.stage === stage),
    ...placed(bars),
  }));
}

function barOf({ id, step, kind, version, model, duration_ms, created_at }: Artifact): Unplaced {
  const to = Date.parse(created_at);
  const label = `${step}: ${kind} ${version}${model ? `, by ${model}` : ""}, ${duration_ms} ms`;
  return { key: id, label, is: model ? "model" : "code", from: to - duration_ms, to, artifact: id };
}

function waitsOf(events: readonly Event[], now: number) {
  const open = new Map<string, { stage: string; from: number }>();
  const waits: { stage: string; bar: Unplaced }[] = [];
  const close = (id: string, to: number) => {
    const wait = open.get(id);
    if (!wait) return;
    open.delete(id);
    const bar: Unplaced = { key: `wait ${id}`, label: "A person was asked", is: "person", from: wait.from, to };
    waits.push({ stage: wait.stage, bar });
  };
  for (const { type, created_at, data } of events) {
    const at = Date.parse(created_at);
    if (type === "run.input_required") open.set(data.interaction_id, { stage: data.stage, from: at });
    else if (type === "run.input_received" || type === "run.input_expired" || type === "run.input_withdrawn")
      close(data.interaction_id, at);
    else if (["run.completed", "run.failed", "run.canceled"].includes(type))
      for (const id of open.keys()) close(id, at);
  }
  for (const id of open.keys()) close(id, now);
  return waits;
}

/** Each bar on the first line that is free when it begins. */
function placed(bars: Unplaced[]): Pick<Lane, "bars" | "lines"> {
  const ends: number[] = [];
  const done = bars
    .sort((one, other) => one.from - other.from)
    .map((bar): Bar => {
      const free = ends.findIndex((end) => end <= bar.from);
      const line = free === -1 ? ends.length : free;
      ends[line] = bar.to;
      return { ...bar, line };
    });
  return { bars: done, lines: Math.max(1, ends.length) };
}
