import { setTimeout as sleep } from "node:timers/promises";
import type { Scenario } from "./scenarios.ts";
import type { Json } from "../../scripts/lib/json.ts";
import type { Client } from "../lib/client.ts";
import { mockAnswers } from "../lib/mock-answers.ts";
import { type Accepted, answer, BEHAVIOURS, contentFor } from "./people.ts";
import { between, choose, roll } from "./roll.ts";
import { inputOf } from "./trees.ts";

/** The longest time from a run's creation to its end, with all faults. Milliseconds. */
const MAX_RUN_MS = 8 * 60_000;
/** How often a failed run is retried. */
const MAX_RETRIES = 6;
const ENDED = ["completed", "failed", "canceled"];
/** How often a client reads its run. Milliseconds. */
const POLL = { from: 400, to: 800 };
/** One in ABSENT_EVERY runs gets no answers, if the mock run had it; one in PAUSED_EVERY runs is paused for a while. */
const ABSENT_EVERY = 20;
const PAUSED_EVERY = 8;
/** Where cancels are asked for, one in CANCELED_EVERY runs is canceled and retried at once. */
const CANCELED_EVERY = 4;
/** Fates of runs that start runs: most are disturbed, so that few show every verb. */
const TREE_FATES = ["left alone", "paused", "canceled", "removed"];

/** Seed of the runs: a live run draws the same random numbers as its mock run. */
const SEED = 7;

/** A run of a scenario on the mock model, without faults. */
export interface MockRun {
  id: string;
  scenario: Scenario & { absent: boolean };
  /** the models' answers, by step */
  contents: Map<string, string>;
  /** of models, those of the runs that it started included */
  calls: number;
  /** by step */
  artifacts: Map<string, Json>;
}

/**
 * Runs a scenario on the mock model, and answers its questions.
 * @param api of a test key
 */
export async function runMock(api: Client, scenario: MockRun["scenario"]): Promise<MockRun> {
  const { workflow, options } = scenario;
  const input = await inputOf(scenario, api.post);
  const { id } = await api.post("/v1/runs", { body: { workflow, input, options, models: { seed: SEED } } });
  for (const answered = new Set<string>(); ; await sleep(200)) {
    const run = await api.get(`/v1/runs/${id}`);
    if (run.status === "completed") break;
    if (ENDED.includes(run.status))
      throw new Error(`The mock run of ${workflow}, ${scenario.name}, ${run.status}: ${run.error?.detail}`);
    for (const open of run.interactions.filter(
      (interaction: string) => !answered.has(interaction) && !scenario.absent,
    )) {
      answered.add(open);
      const interaction = await api.get(`/v1/interactions/${open}`);
      const body = contentFor(interaction, await firstArtifact(api, interaction), scenario, "mock");
      await api.post(`/v1/interactions/${open}/answer`, { body });
    }
  }
  const artifacts = await api.all(`/v1/runs/${id}/artifacts`);
  const children = scenario.dataset ? await api.all(`/v1/runs?parent_id=${id}`) : [];
  const answers = await Promise.all([id, ...children.map((child) => child.id)].map((one) => mockAnswers(api, one)));
  return {
    id,
    scenario,
    contents: new Map(answers.flat()),
    calls: answers.flat().length,
    artifacts: new Map(artifacts.map((artifact) => [artifact.step, artifact])),
  };
}

/** The first artifact of an interaction; null when it has none. */
const firstArtifact = async (api: Client, { run_id, artifacts: [first] }: Json): Promise<Json> =>
  first === undefined ? null : api.get(`/v1/runs/${run_id}/artifacts/${first}`);

/** The plan of one live run. */
export interface Plan {
  seed: string;
  index: number;
  name: string;
  mockRun: MockRun;
  scenario: MockRun["scenario"];
  /** how people answer */
  behaviour: string;
  poll: typeof POLL;
  /** milliseconds after the beginning */
  start_at: number;
  /** milliseconds after the start; null: never */
  pause_at: number | null;
  /** the same for a cancel, which a retry follows */
  cancel_at: number | null;
  /** the same for a cancel, which the removal of the run follows */
  remove_at: number | null;
}

/**
 * Plans runs in turn over the workflows, so that each has its share.
 * @param options `spread`: milliseconds over which
 * the runs are created
 */
export function planRuns(
  {
    seed,
    runs,
    behaviours = BEHAVIOURS,
    cancels = false,
    spread = 2000,
    poll = POLL,
  }: { seed: string; runs: number; behaviours?: string[]; cancels?: boolean; spread?: number; poll?: typeof POLL },
  mockRuns: MockRun[],
): Plan[] {
  const workflows = [...new Set(mockRuns.map(({ scenario }) => scenario.workflow))];
  // Few runs begin with other workflows under another seed.
  const first = Math.floor(roll(seed, "first workflow") * workflows.length);
  return Array.from({ length: runs }, (_, index) => {
    const workflow = workflows[(first + index) % workflows.length];
    const candidates = mockRuns.filter(({ scenario }) => scenario.workflow === workflow);
    const absent = candidates.filter(({ scenario }) => scenario.absent);
    const attended = candidates.filter(({ scenario }) => !scenario.absent);
    const isAbsent = absent.length > 0 && between(0, ABSENT_EVERY, seed, index, "absent") < 1;
    const chosen = choose(isAbsent ? absent : attended, seed, index, "scenario");
    const fate = chosen.scenario.dataset ? choose(TREE_FATES, seed, index, "fate") : null;
    const paused = fate ? fate === "paused" : between(0, PAUSED_EVERY, seed, index, "paused") < 1;
    const canceled = fate ? fate === "canceled" : cancels && between(0, CANCELED_EVERY, seed, index, "canceled") < 1;
    return {
      seed,
      index,
      name: `Run ${index + 1}`,
      mockRun: chosen,
      scenario: chosen.scenario,
      // In turn, so that few runs show every behaviour.
      behaviour: isAbsent
        ? "absent"
        : (behaviours[Math.floor(index / workflows.length + index) % behaviours.length] ?? "api"),
      poll,
      start_at: between(0, spread, seed, index, "start"),
      pause_at: paused ? between(500, 6000, seed, index, "pause") : null,
      cancel_at: canceled ? between(200, fate ? 3000 : 8000, seed, index, "cancel") : null,
      remove_at: fate === "removed" ? between(200, 3000, seed, index, "remove") : null,
    };
  });
}

/** What the checks need to know about a live run. */
export class RunRecord {
  id = "";
  violations: string[] = [];
  /** Accepted answers. */
  answers: Accepted[] = [];
  /** The errors that the run failed with before a retry, and their times. */
  failures: { error: Json; at: number }[] = [];
  /** When the run was canceled and retried. */
  cancels: { from: number; to: number }[] = [];
  /** The run and its children, after its removal. */
  removed: string[] = [];
  removed_at = 0;
  /** `removed` at the end of a run that was removed */
  status = "";
  /** Whether its client has finished. */
  over = false;

  readonly plan: Plan;

  constructor(plan: Plan) {
    this.plan = plan;
  }
}

/**
 * Executes one run until it is completed: creates it, answers its questions, and retries it when it fails.
 * @param record is filled
 */
export async function followRun(record: RunRecord, api: Client, { hooks, secret }: { hooks: string; secret: string }) {
  const { plan } = record;
  const { index, seed, scenario, behaviour } = plan;
  const report = (violation: string) => record.violations.push(violation);
  await sleep(plan.start_at);
  const model = `openai/${modelOf(plan)}`;
  // Each step of storing a data set has a key of the run's.
  const input = await inputOf(scenario, (path, request) => {
    const key = `dataset-${index}-${path.replace(/dst_\w+/, "")}`;
    return api.post(path, { ...request, headers: { "idempotency-key": key } });
  });
  const late = behaviour === "late" ? { interaction_timeout: "1m", on_expiry: "fail" } : {};
  const body = {
    workflow: scenario.workflow,
    input,
    options: { ...scenario.options, ...late },
    models: { default: model, embedding: model, seed: SEED },
    webhook: { url: `${hooks}/run/${index}`, secret },
    metadata: { run: plan.name },
  };
  const headers = { "idempotency-key": `chaos-${seed}-${index}` };
  record.id = (await api.post("/v1/runs", { body, headers })).id;
  if (plan.remove_at !== null) return removeAfter(record, api, plan.remove_at);
  const pausing = plan.pause_at === null ? null : pauseFor(record, api, plan.pause_at);
  let canceling: Promise<unknown> | null =
    plan.cancel_at === null ? null : cancelAfter(record, api, plan.cancel_at).then(() => (canceling = null));

  const people: Promise<void>[] = [];
  const seen = new Set<string>();
  for (
    const end = Date.now() + MAX_RUN_MS;
    ;
    await sleep(between(plan.poll.from, plan.poll.to, seed, index, Date.now()))
  ) {
    const isCanceling = canceling !== null; // before the request: its answer may be older than the retry's
    const run = await api.get(`/v1/runs/${record.id}`);
    record.status = run.status;
    if (run.status === "completed" || (run.status === "canceled" && !isCanceling)) break;
    if (run.status === "failed") {
      if (record.failures.length === MAX_RETRIES) break;
      record.failures.push({ error: run.error, at: Date.parse(run.finished_at) });
      const { status, body: refused } = await api.send("POST", `/v1/runs/${record.id}/retry`, { body: {} });
      // 409: an outage may have cut off the response to a successful retry.
      if (status !== 200 && status !== 409) report(`retry got ${status}: ${JSON.stringify(refused)}`);
    }
    if (Date.now() > end) {
      report(`after ${MAX_RUN_MS / 60_000} minutes it is still ${run.status} in ${run.stage}`);
      break;
    }
    for (const id of run.interactions.filter((interaction: string) => !seen.has(interaction))) {
      seen.add(id);
      const planned = behaviour === "late" && people.length > 0 ? { ...plan, behaviour: "api" } : plan;
      // A question that the end of the run canceled is opened again by a retry.
      const settle = (accepted: Accepted | null | undefined) => {
        if (accepted) record.answers.push(accepted);
        else if (accepted === undefined || planned.behaviour !== "late") seen.delete(id);
      };
      people.push(attend(id, planned, api, report).then(settle));
    }
  }
  await Promise.all([...people, pausing, canceling]);
}

async function attend(id: string, plan: Plan, api: Client, report: (violation: string) => void) {
  const interaction = await api.get(`/v1/interactions/${id}`);
  if (interaction.status === "canceled") return undefined; // the run has failed meanwhile
  return answer({ interaction, artifact: await firstArtifact(api, interaction), plan, api, report });
}

/** Pauses a run for a while. */
async function pauseFor(record: RunRecord, api: Client, after: number) {
  const { seed, index } = record.plan;
  await sleep(after);
  await step(record, api, "pause");
  await sleep(between(1000, 3000, seed, index, "paused for"));
  await step(record, api, "resume");
}

/** Cancels a run and retries it at once, with its calls in flight. */
async function cancelAfter(record: RunRecord, api: Client, after: number) {
  await sleep(after);
  const from = Date.now();
  await step(record, api, "cancel");
  await step(record, api, "retry");
  record.cancels.push({ from, to: Date.now() });
}

/** Cancels a run and removes it at once, with its children under way. */
async function removeAfter(record: RunRecord, api: Client, after: number) {
  await sleep(after);
  await step(record, api, "cancel");
  const children = await api.all(`/v1/runs?parent_id=${record.id}`);
  const { status, body } = await api.send("DELETE", `/v1/runs/${record.id}`);
  // 404: the answer to an earlier attempt was lost.
  if (status !== 204 && status !== 404) record.violations.push(`its removal got ${status}: ${JSON.stringify(body)}`);
  record.removed = [record.id, ...children.map(({ id }) => id)];
  record.id = "";
  record.status = "removed";
  record.removed_at = Date.now();
  for (const id of record.removed) {
    const left = await api.send("GET", `/v1/runs/${id}/events`);
    if (left.status !== 404) record.violations.push(`${id} was removed, and its events got ${left.status}`);
  }
}

/**
 * One verb on a run, repeated after a fault; an ended run refuses it with `wrong_state`. Under a key, because a request that was repeated must not
 * be executed late, after the next verb.
 */
async function step(record: RunRecord, api: Client, verb: string) {
  const headers = { "idempotency-key": `${verb}-${record.plan.index}` };
  const { status, body } = await api.send("POST", `/v1/runs/${record.id}/${verb}`, { body: {}, headers });
  if (status !== 200 && body?.code !== "wrong_state")
    record.violations.push(`${verb} got ${status}: ${JSON.stringify(body)}`);
}

export const modelOf = ({ index }: Plan) => `run-${index}`;
