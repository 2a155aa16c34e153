import { isDeepStrictEqual } from "node:util";
import type { Plan, RunRecord } from "./runs.ts";
import type { Json } from "../../scripts/lib/json.ts";
import { type Call, FLAWS, nameInEveryRun } from "./faulty-model.ts";
import type { Outages } from "../lib/client.ts";

/** What is known of one run at its end. */
export interface Evidence {
  run: Json;
  artifacts: Json[];
  events: Json[];
  interactions: Json[];
  /** contents of the artifacts that people made, by step */
  said: Map<string, string>;
  calls: Call[];
  /** of the runs that it has started */
  children: Evidence[];
}

/** Failures of a step in a row before its model counts as failing, and is waited for (src/engine/calls/backoff.ts). */
const ATTEMPTS = 4;
/** An answer is committed within this time, on a busy machine too. Milliseconds. */
const COMMIT_WITHIN = 5000;
/** The same when storage was away meanwhile. Milliseconds. */
const COMMIT_AFTER_OUTAGE = 90_000;
/** Timeout of a model call, longer than any answer takes. Milliseconds. */
export const LLM_TIMEOUT = 8000;
const TERMINAL = ["run.completed", "run.failed", "run.canceled"];

/** Every run completes in the end, and injected faults explain each of its earlier failures. */
export function ends({ status, failures, plan }: RunRecord, { calls, interactions }: Evidence) {
  const unexplained = failures.filter(({ error }) => !explained(error, calls, interactions, plan));
  return [
    ...unexplained.map(
      ({ error }) => `it failed with ${error.code}, which no injected fault explains: ${error.detail}`,
    ),
    ...(status === "completed" ? [] : [`it is ${status} at the end`]),
  ];
}

/** Faults of a step's last calls that explain an error. */
const CAUSES: Record<string, string[]> = {
  provider_unavailable: ["rate_limited", "server_error", "garbled", "truncated", "malformed", "silent"],
  output_truncated: ["truncated"],
  output_invalid: ["malformed", "truncated"],
};

function explained({ code, detail }: Json, calls: Call[], interactions: Json[], { behaviour }: Plan) {
  if (code === "interaction_unanswered")
    return behaviour === "late" && interactions.some(({ id, status }) => status === "expired" && detail.includes(id));
  const callsOfStep = calls.filter(({ step }) => detail.startsWith(`${step}: `));
  const causes = CAUSES[code];
  // Any sequence of its calls counts: a run may have failed in the same step before.
  const enough = code.startsWith("output_") ? 2 : ATTEMPTS;
  return callsOfStep.some((call, index) => {
    const lastCalls = callsOfStep.slice(0, index + 1).slice(-enough);
    const isFlawed = ({ outcome }: Call) => (enough === 2 ? FLAWS.includes(outcome) : outcome !== "good");
    return causes?.includes(call.outcome) && lastCalls.length === enough && lastCalls.every(isFlawed);
  });
}

/** Each artifact of the mock run exists once, and holds the content that the model returned. */
export function keepsArtifacts({ plan: { mockRun, scenario } }: RunRecord, { artifacts, events }: Evidence) {
  const violations: string[] = [];
  const steps = artifacts.map(({ step }) => step); // no run is redone, so each step occurs in one generation
  const doubled = steps.filter((step, index) => steps.indexOf(step) < index);
  if (doubled.length) violations.push(`artifacts are doubled: ${doubled}`);
  const missing = rest([...mockRun.artifacts.keys()], steps);
  const unexpected = rest(steps, [...mockRun.artifacts.keys(), ...(scenario.live_steps ?? [])]);
  if (missing.length) violations.push(`artifacts are missing: ${missing}`);
  if (unexpected.length) violations.push(`artifacts are not in the mock run: ${unexpected}`);
  const changed = artifacts.filter(({ step, model, kind, sha256 }) => {
    const twin = mockRun.artifacts.get(step);
    // An agent's result and embeddings hold more than the model's answer.
    return model !== null && twin && !["agent_result", "embeddings"].includes(kind) && twin.sha256 !== sha256;
  });
  if (changed.length) violations.push(`artifacts differ from the model's answers: ${changed.map(({ step }) => step)}`);
  const announced = events.filter(({ type }) => type === "run.artifact_created").map(({ data }) => data.artifact_id);
  if (!isDeepStrictEqual(announced.toSorted(), artifacts.map(({ id }) => id).toSorted()))
    violations.push(`${announced.length} events for ${artifacts.length} artifacts`);
  return violations;
}

/** The steps missing from others; each of the others matches one step only. */
function rest(steps: string[], others: string[]) {
  const names = others.map(nameInEveryRun);
  return steps.filter((step) => {
    const at = names.indexOf(nameInEveryRun(step));
    if (at >= 0) names.splice(at, 1);
    return at < 0;
  });
}

/** Events are numbered from 1 without a gap, and only a retry follows the end of a run. */
export function numbersEvents(_record: RunRecord, { run, events }: Evidence) {
  const violations: string[] = [];
  const gap = events.findIndex(({ seq }, index) => seq !== index + 1);
  if (gap >= 0) violations.push(`event ${gap + 1} has the number ${events[gap].seq}`);
  if (new Set(events.map(({ id }) => id)).size < events.length) violations.push("two events have the same id");
  if (events[0]?.type !== "run.created") violations.push(`the first event is ${events[0]?.type}`);
  events.forEach(({ type }, index) => {
    if (index && TERMINAL.includes(events[index - 1].type) && type !== "run.retried")
      violations.push(`${type} follows ${events[index - 1].type}`);
  });
  const started = count(events, "run.stage_started");
  const completed = count(events, "run.stage_completed");
  if (run.status === "completed" && started < completed)
    violations.push(`${completed} stages completed, ${started} started`);
  return violations;
}

const count = (events: Json[], eventType: string) => events.filter(({ type }) => type === eventType).length;

/** Every accepted answer is in its interaction, in exactly one event, and in an artifact that people made. */
export function keepsAnswers({ answers }: RunRecord, { interactions, events, said }: Evidence) {
  const violations: string[] = [];
  for (const { interaction, answer, note } of answers) {
    const stored = interactions.find(({ id }) => id === interaction);
    const { answered_by, ...content } = answer;
    if (stored?.status !== "answered") violations.push(`${interaction} accepted an answer and is ${stored?.status}`);
    else if (!isDeepStrictEqual(stored.answer, content) || stored.answered_by !== answered_by)
      violations.push(`${interaction} accepted ${JSON.stringify(answer)} and holds ${JSON.stringify(stored.answer)}`);
    const received = events.filter(
      ({ type, data }) => type === "run.input_received" && data.interaction_id === interaction,
    );
    if (received.length !== 1) violations.push(`${received.length} events for the answer to ${interaction}`);
    if (![...said.values()].some((text) => text.includes(note)))
      violations.push(`no artifact holds the answer to ${interaction}: ${note}`);
  }
  const open = interactions.filter(({ status }) => status === "open");
  if (open.length) violations.push(`${open.length} interactions are still open`);
  const accepted = new Set(answers.map(({ interaction }) => interaction));
  const others = interactions.filter(({ id, status }) => status === "answered" && !accepted.has(id));
  if (others.length) violations.push(`answered, although no client got a 200: ${others.map(({ id }) => id)}`);
  return violations;
}

/**
 * Every finished step was called once. A good answer other than the last is excused when a kill came before its commit, or when the caller
 * had timed out and counted the call. Calls around a cancel of the run do not count.
 */
export function paysOnce({ cancels }: RunRecord, { calls, artifacts }: Evidence, outages: Outages) {
  const good = Map.groupBy(
    calls.filter(({ outcome }) => outcome === "good"),
    ({ subject }) => subject,
  );
  const unplanned = calls.filter(({ outcome }) => outcome === "unplanned").map(({ step }) => step);
  const kills = `kills at ${outages.all.map(({ from, to }) => `${clock(from)} to ${clock(to)}`).join(", ")}`;
  const wasted = [...good].flatMap(([subject, answered]) => {
    const unexcused = answered
      .filter((call) => !wasCanceled(call, cancels, outages))
      .slice(0, -1)
      .filter((call) => !wasCut(call, outages) && !hadTimedOut(call, { calls, artifacts }));
    return unexcused.length
      ? [`${subject} was answered in vain at ${unexcused.map(timesOf).join("; ")} (${kills})`]
      : [];
  });
  return [...wasted, ...(unplanned.length ? [`models got calls that are not in the mock run: ${unplanned}`] : [])];
}

export const clock = (at: number) => (at === Infinity ? "never" : new Date(at).toISOString().slice(11, 23));
const timesOf = ({ started_at, ended_at, delivered }: Call) =>
  `${clock(started_at)} to ${clock(ended_at)}${delivered ? "" : ", cut off"}`;

/** When the answer to a call is committed at the latest. */
function committedBy({ started_at, ended_at }: Call, outages: Outages) {
  const answered = Math.min(ended_at, Date.now());
  const wasAway = outages.storageAway(started_at, answered + COMMIT_WITHIN);
  return outages.doneBy(started_at, answered + (wasAway ? COMMIT_AFTER_OUTAGE : COMMIT_WITHIN));
}

const wasCut = (call: Call, outages: Outages) => outages.overlap(call.started_at, committedBy(call, outages));

/** Whether its run was canceled before its answer was committed, and its instance may not have known that when it called. */
const wasCanceled = (call: Call, cancels: RunRecord["cancels"], outages: Outages) =>
  cancels.some(
    ({ from, to }) => from <= committedBy(call, outages) && call.started_at <= outages.doneBy(from, to + COMMIT_WITHIN),
  );

/**
 * Whether the caller had timed out: a process without CPU time reads an answer too late, calls again, and counts both calls in the usage of
 * its step. A step that had lost its answer would count from zero.
 */
function hadTimedOut(call: Call, { calls, artifacts }: Pick<Evidence, "calls" | "artifacts">) {
  const since = calls.filter(({ subject, started_at }) => subject === call.subject && started_at >= call.started_at);
  const next = since[1];
  if (!next || next.started_at - call.started_at < LLM_TIMEOUT / 2) return false;
  const artifact = artifacts.find(({ step }) => step === call.subject);
  return artifact === undefined ? call.subject !== call.step : artifact.usage.llm_calls >= since.length;
}

/** The number of good answers that a kill made useless. */
export const paidAgain = ({ calls }: Evidence) =>
  [
    ...Map.groupBy(
      calls.filter(({ outcome }) => outcome === "good"),
      ({ subject }) => subject,
    ).values(),
  ].reduce((sum, answered) => sum + answered.length - 1, 0);

/** The laws that must hold for every run at the end. Each returns one sentence for each violation. */
export const LAWS = { ends, keepsArtifacts, numbersEvents, keepsAnswers, paysOnce };
