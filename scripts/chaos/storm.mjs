import { setTimeout as sleep } from "node:timers/promises";
import { rehearsedAnswers } from "../lib/rehearsed.mjs";
import { answer, TEMPERS, wordsFor } from "./people.mjs";
import { between, choose } from "./roll.mjs";

/** How long a run may take from its creation, all faults included. */
const LONGEST_RUN = 8 * 60_000;
/** A run that the faults have failed is taken up again so often. */
const MOST_RETRIES = 6;
const ENDED = ["completed", "failed", "canceled"];
/** One in so many runs meets nobody at all, where that was rehearsed; one in so many others is paused for a while. */
const ABSENT_EVERY = 20;
const PAUSED_EVERY = 8;

/** Numbers that code draws from a seed are the same in a rehearsal and in its live runs. */
const SEED = 7;

/**
 * An undisturbed run of a scenario.
 * @typedef {object} Rehearsed
 * @property {import("./scenarios.mjs").Scenario & {absent: boolean}} scenario
 * @property {Map<string, string>} contents what models say, by act
 * @property {Map<string, any>} artifacts by act
 */

/**
 * @param {ReturnType<typeof import("../lib/api.mjs").connect>} api of a test key
 * @param {Rehearsed["scenario"]} scenario
 * @returns {Promise<Rehearsed>}
 */
export async function rehearse(api, scenario) {
  const { workflow, input, options } = scenario;
  const { id } = await api.post("/v1/runs", { workflow, input, options, models: { seed: SEED } });
  for (const answered = new Set(); ; await sleep(200)) {
    const run = await api.get(`/v1/runs/${id}`);
    if (run.status === "completed") break;
    if (ENDED.includes(run.status))
      throw new Error(`The rehearsal of ${workflow}, ${scenario.name}, ${run.status}: ${run.error?.detail}`);
    for (const question of run.interactions.filter((one) => !answered.has(one) && !scenario.absent)) {
      answered.add(question);
      const interaction = await api.get(`/v1/interactions/${question}`);
      const words = wordsFor(interaction, await aboutOf(api, interaction), scenario, "rehearsed");
      await api.post(`/v1/interactions/${question}/answer`, words);
    }
  }
  const artifacts = await api.all(`/v1/runs/${id}/artifacts`);
  return {
    scenario,
    contents: new Map(await rehearsedAnswers(api, id)),
    artifacts: new Map(artifacts.map((artifact) => [artifact.act, artifact])),
  };
}

/** The artifact that an interaction names first. */
const aboutOf = async (api, { run_id, artifacts: [first] }) =>
  first === undefined ? null : api.get(`/v1/runs/${run_id}/artifacts/${first}`);

/**
 * What one run is to go through.
 * @typedef {object} Plan
 * @property {string} seed
 * @property {number} index
 * @property {string} name
 * @property {Rehearsed} rehearsed
 * @property {Rehearsed["scenario"]} scenario
 * @property {string} temper of the people who answer
 * @property {number | null} pause_at ms after its start, if ever
 */

/**
 * Runs over all scenarios in turn, so that each workflow has its share.
 * @param {{seed: string, runs: number, tempers?: string[]}} options
 * @param {Rehearsed[]} rehearsed
 * @returns {Plan[]}
 */
export function planRuns({ seed, runs, tempers = TEMPERS }, rehearsed) {
  const workflows = [...new Set(rehearsed.map(({ scenario }) => scenario.workflow))];
  return Array.from({ length: runs }, (_, index) => {
    const own = rehearsed.filter(({ scenario }) => scenario.workflow === workflows[index % workflows.length]);
    const absent = own.filter(({ scenario }) => scenario.absent);
    const attended = own.filter(({ scenario }) => !scenario.absent);
    const alone = absent.length > 0 && between(0, ABSENT_EVERY, seed, index, "absent") < 1;
    const one = choose(alone ? absent : attended, seed, index, "scenario");
    const paused = between(0, PAUSED_EVERY, seed, index, "paused") < 1;
    return {
      seed,
      index,
      name: `Run ${index + 1}`,
      rehearsed: one,
      scenario: one.scenario,
      // Every manner is seen, however few the runs are.
      temper: alone ? "absent" : (tempers[Math.floor(index / workflows.length + index) % tempers.length] ?? "api"),
      pause_at: paused ? between(500, 6000, seed, index, "pause") : null,
    };
  });
}

/** What is kept of a run for the checks. */
export class Story {
  /** @type {string} */
  id = "";
  /** What should not have been. @type {string[]} */
  wrong = [];
  /** Answers that were taken. @type {{interaction: string, answer: object, note: string}[]} */
  answers = [];
  /** Errors that the run failed with before it was taken up again, and when. @type {{error: any, at: number}[]} */
  failures = [];
  /** @type {string} */
  status = "";
  /** Whether its client is done with it. */
  over = false;

  /** @param {Plan} plan */
  constructor(plan) {
    this.plan = plan;
  }
}

/**
 * Lives through one run: starts it, has its questions answered, takes it up again when it fails, until it is completed.
 * @param {Story} story
 * @param {import("./client.mjs").Client} api
 * @param {{hooks: string, secret: string}} receiver
 */
export async function live(story, api, { hooks, secret }) {
  const { plan } = story;
  const { index, seed, scenario, temper } = plan;
  const wrong = (what) => story.wrong.push(what);
  await sleep(between(0, 2000, seed, index, "start"));
  const model = `openai/${modelOf(plan)}`;
  const late = temper === "late" ? { interaction_timeout: "1m", on_expiry: "fail" } : {};
  const body = {
    workflow: scenario.workflow,
    input: scenario.input,
    options: { ...scenario.options, ...late },
    models: { default: model, embedding: model, seed: SEED },
    webhook: { url: `${hooks}/run/${index}`, secret },
    metadata: { run: plan.name },
  };
  const created = await api.send("POST", "/v1/runs", {
    body,
    headers: { "idempotency-key": `chaos-${seed}-${index}` },
  });
  if (created.status !== 201)
    throw new Error(`The run was not created: ${created.status} ${JSON.stringify(created.body)}`);
  story.id = created.body.id;
  const pausing = plan.pause_at === null ? null : pauseFor(story, api, plan.pause_at);

  const people = [];
  const asked = new Set();
  for (const end = Date.now() + LONGEST_RUN; ; await sleep(between(400, 800, seed, index, Date.now()))) {
    const run = await api.get(`/v1/runs/${story.id}`);
    story.status = run.status;
    if (run.status === "completed" || run.status === "canceled") break;
    if (run.status === "failed") {
      if (story.failures.length === MOST_RETRIES) break;
      story.failures.push({ error: run.error, at: Date.parse(run.finished_at) });
      const { status, body: refused } = await api.send("POST", `/v1/runs/${story.id}/retry`, { body: {} });
      // The answer to a retry that was taken up may have been cut off.
      if (status !== 200 && status !== 409) wrong(`retry got ${status}: ${JSON.stringify(refused)}`);
    }
    if (Date.now() > end) {
      wrong(`after ${LONGEST_RUN / 60_000} minutes it is still ${run.status} in ${run.stage}`);
      break;
    }
    for (const id of run.interactions.filter((one) => !asked.has(one))) {
      asked.add(id);
      const patient = temper === "late" && asked.size > 1 ? { ...plan, temper: "api" } : plan;
      people.push(attend(id, patient, api, wrong).then((taken) => taken && story.answers.push(taken)));
    }
  }
  await Promise.all([...people, pausing]);
}

async function attend(id, plan, api, wrong) {
  const interaction = await api.get(`/v1/interactions/${id}`);
  if (interaction.status === "canceled") return null; // its run has failed meanwhile
  return answer({ interaction, about: await aboutOf(api, interaction), plan, api, wrong });
}

/** Pauses a run for a while; one that has ended takes neither. */
async function pauseFor(story, api, after) {
  const { seed, index } = story.plan;
  await sleep(after);
  for (const verb of ["pause", "resume"]) {
    const { status, body } = await api.send("POST", `/v1/runs/${story.id}/${verb}`);
    if (status !== 200 && body?.code !== "wrong_state")
      story.wrong.push(`${verb} got ${status}: ${JSON.stringify(body)}`);
    if (verb === "pause") await sleep(between(1000, 3000, seed, index, "paused for"));
  }
}

export const modelOf = ({ index }) => `run-${index}`;
