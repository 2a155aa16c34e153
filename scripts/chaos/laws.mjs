import { isDeepStrictEqual } from "node:util";
import { FLAWS } from "./endpoint.mjs";

/**
 * What must hold of every run when the storm is over. Each law says what is wrong, in sentences.
 * @typedef {object} Evidence what is known of one run
 * @property {any} run
 * @property {any[]} artifacts
 * @property {any[]} events
 * @property {any[]} interactions
 * @property {Map<string, string>} said by people, as artifacts keep it: contents by act
 * @property {import("./endpoint.mjs").Call[]} calls
 */

/** Attempts after which an act gives up (engine/retry.ts). */
const MAX_ATTEMPTS = 6;
/** An answer is committed this soon after it was sent, on a busy machine too. Milliseconds. */
const COMMIT_WITHIN = 5000;
/** How long a model is waited for: longer than any of its answers takes. Milliseconds. */
export const LLM_TIMEOUT = 8000;
const TERMINAL = ["run.completed", "run.failed", "run.canceled"];

/** A run is completed in the end, and whatever failed it before is explained by faults that the outer world has played. */
export function ends({ status, failures, plan }, { calls, interactions }) {
  const unexplained = failures.filter(({ error }) => !explained(error, calls, interactions, plan));
  return [
    ...unexplained.map(({ error }) => `it failed with ${error.code}, which no fault explains: ${error.detail}`),
    ...(status === "completed" ? [] : [`it is ${status} at the end`]),
  ];
}

/** What the last calls of an act must have met for it to give up with this error. */
const CAUSES = {
  provider_rate_limited: ["rate_limited"],
  provider_unavailable: ["server_error", "garbled", "truncated", "malformed"],
  provider_unreachable: ["garbled"],
  provider_timeout: ["silent"],
  output_truncated: ["truncated"],
  output_invalid: ["malformed", "truncated"],
};

function explained({ code, detail }, calls, interactions, { temper }) {
  if (code === "interaction_unanswered")
    return temper === "late" && interactions.some(({ id, status }) => status === "expired" && detail.includes(id));
  const mine = calls.filter(({ act }) => detail.startsWith(`${act}: `));
  const causes = CAUSES[code];
  // Any stretch of its calls will do: a run may have failed in the same act before.
  const enough = code.startsWith("output_") ? 2 : MAX_ATTEMPTS;
  return mine.some((call, at) => {
    const until = mine.slice(0, at + 1).slice(-enough);
    const flawed = ({ outcome }) => (enough === 2 ? FLAWS.includes(outcome) : outcome !== "good");
    return causes?.includes(call.outcome) && until.length === enough && until.every(flawed);
  });
}

/** The artifacts are those of the undisturbed rehearsal, each once, and what models made reads as it was answered. */
export function keepsArtifacts({ plan: { rehearsed } }, { artifacts, events }) {
  const wrong = [];
  const acts = artifacts.map(({ act }) => act); // nothing is redone here, so there is one generation
  const doubled = acts.filter((act, at) => acts.indexOf(act) < at);
  if (doubled.length) wrong.push(`artifacts are doubled: ${doubled}`);
  const made = new Set(artifacts.map(({ act }) => act));
  const wanted = new Set(rehearsed.artifacts.keys());
  const missing = [...wanted.difference(made)];
  const strange = [...made.difference(wanted)];
  if (missing.length) wrong.push(`artifacts are missing: ${missing}`);
  if (strange.length) wrong.push(`artifacts were not rehearsed: ${strange}`);
  const changed = artifacts.filter(({ act, model, kind, sha256 }) => {
    const twin = rehearsed.artifacts.get(act);
    // Of an agent's result and of vectors more is kept than the model said.
    return model !== null && twin && !["agent_result", "embeddings"].includes(kind) && twin.sha256 !== sha256;
  });
  if (changed.length) wrong.push(`artifacts read otherwise than the model answered: ${changed.map(({ act }) => act)}`);
  const told = events.filter(({ type }) => type === "run.artifact_created").map(({ data }) => data.artifact_id);
  if (!isDeepStrictEqual(told.toSorted(), artifacts.map(({ id }) => id).toSorted()))
    wrong.push(`${told.length} events tell of ${artifacts.length} artifacts`);
  return wrong;
}

/** Events are numbered from 1 without a gap, and nothing follows an end but a retry. */
export function numbersEvents(_story, { run, events }) {
  const wrong = [];
  const gap = events.findIndex(({ seq }, at) => seq !== at + 1);
  if (gap >= 0) wrong.push(`event ${gap + 1} has the number ${events[gap].seq}`);
  if (new Set(events.map(({ id }) => id)).size < events.length) wrong.push("two events have the same id");
  if (events[0]?.type !== "run.created") wrong.push(`the first event is ${events[0]?.type}`);
  events.forEach(({ type }, at) => {
    if (at && TERMINAL.includes(events[at - 1].type) && type !== "run.retried")
      wrong.push(`${type} follows ${events[at - 1].type}`);
  });
  const started = count(events, "run.stage_started");
  const completed = count(events, "run.stage_completed");
  if (run.status === "completed" && started < completed)
    wrong.push(`${completed} stages completed, ${started} started`);
  return wrong;
}

const count = (events, wanted) => events.filter(({ type }) => type === wanted).length;

/** Every answer that was taken stands in its interaction, was told of once, and is in an artifact that people made. */
export function keepsAnswers({ answers }, { interactions, events, said }) {
  const wrong = [];
  for (const { interaction, answer, note } of answers) {
    const kept = interactions.find(({ id }) => id === interaction);
    const { answered_by, ...words } = answer;
    if (kept?.status !== "answered") wrong.push(`${interaction} took an answer and is ${kept?.status}`);
    else if (!isDeepStrictEqual(kept.answer, words) || kept.answered_by !== answered_by)
      wrong.push(`${interaction} took ${JSON.stringify(answer)} and holds ${JSON.stringify(kept.answer)}`);
    const told = events.filter(
      ({ type, data }) => type === "run.input_received" && data.interaction_id === interaction,
    );
    if (told.length !== 1) wrong.push(`${told.length} events tell of the answer to ${interaction}`);
    if (![...said.values()].some((content) => content.includes(note)))
      wrong.push(`no artifact holds what was answered to ${interaction}: ${note}`);
  }
  const open = interactions.filter(({ status }) => status === "open");
  if (open.length) wrong.push(`${open.length} interactions are still open`);
  const taken = new Set(answers.map(({ interaction }) => interaction));
  const others = interactions.filter(({ id, status }) => status === "answered" && !taken.has(id));
  if (others.length) wrong.push(`nobody was told that an answer was taken: ${others.map(({ id }) => id)}`);
  return wrong;
}

/**
 * A finished act was called once: all of its good answers but the last were in flight, or not yet committed, when the server was killed,
 * or came to a caller that had given up by its own clock, and counted them so.
 * @param {import("./client.mjs").Outages} outages
 */
export function paysOnce(_story, { calls, artifacts }, outages) {
  const good = Map.groupBy(
    calls.filter(({ outcome }) => outcome === "good"),
    ({ what }) => what,
  );
  const unplanned = calls.filter(({ outcome }) => outcome === "unplanned").map(({ act }) => act);
  const told = `kills at ${outages.all.map(({ from, to }) => `${clock(from)} to ${clock(to)}`).join(", ")}`;
  const twice = [...good].flatMap(([what, answered]) => {
    const vain = answered
      .slice(0, -1)
      .filter((call) => !wasCut(call, outages) && !wasGivenUp(call, { calls, artifacts }));
    return vain.length ? [`${what} was answered for nothing at ${vain.map(timesOf).join("; ")} (${told})`] : [];
  });
  return [...twice, ...(unplanned.length ? [`models were asked what was not rehearsed: ${unplanned}`] : [])];
}

const clock = (at) => (at === Infinity ? "never" : new Date(at).toISOString().slice(11, 23));
const timesOf = ({ started_at, ended_at, delivered }) =>
  `${clock(started_at)} to ${clock(ended_at)}${delivered ? "" : ", cut off"}`;

const wasCut = ({ started_at, ended_at }, outages) =>
  outages.touch(started_at, Math.min(ended_at, Date.now()) + COMMIT_WITHIN);

/**
 * A caller that is starved of its processor reads an answer too late: it then asks again, and counts the call before among those that
 * its act has used. An act that had forgotten its answer would have begun to count anew.
 */
function wasGivenUp(call, { calls, artifacts }) {
  const since = calls.filter(({ what, started_at }) => what === call.what && started_at >= call.started_at);
  const next = since[1];
  if (!next || next.started_at - call.started_at < LLM_TIMEOUT / 2) return false;
  const artifact = artifacts.find(({ act }) => act === call.what);
  return artifact === undefined ? call.what !== call.act : artifact.usage.llm_calls >= since.length;
}

/** Good answers that were paid for in vain, because of a kill. */
export const paidAgain = ({ calls }) =>
  [
    ...Map.groupBy(
      calls.filter(({ outcome }) => outcome === "good"),
      ({ what }) => what,
    ).values(),
  ].reduce((sum, answered) => sum + answered.length - 1, 0);

export const LAWS = { ends, keepsArtifacts, numbersEvents, keepsAnswers, paysOnce };
