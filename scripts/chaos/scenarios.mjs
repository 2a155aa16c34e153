/**
 * Small requests to each workflow that need answers of people, and the content of these answers. A request is rehearsed once; in its live
 * runs each act gets the answer of the rehearsal.
 * @typedef {object} Scenario
 * @property {string} name
 * @property {string} workflow
 * @property {object} input
 * @property {object} options
 * @property {string[]} [live_acts] acts that only live runs have
 * @property {{workflow: string, items: object[]}} [dataset] is stored first; the input then names it
 * @property {(schema: any, note: string) => object} [additions] a person's additions to a consultation, by the schema of `additions`
 */

const MAKERS = [
  { name: "Owner", profile: "Lends tools and wants them back in one piece." },
  { name: "Borrower", profile: "Needs a tool for a weekend, and does not want to own it." },
];

const OFFER = {
  question:
    "A dealer offers in a signed letter to sell a van, promises to hold the offer open, and withdraws it. Is there a contract?",
  choices: [
    { label: "A", text: "Yes, because a merchant's signed offer is not revocable during the time it states." },
    { label: "B", text: "No, because the promise to hold the offer open lacks consideration." },
  ],
  language: "en",
  evidence: [
    {
      source: "Uniform Commercial Code § 2-205",
      text: "A signed offer by a merchant to buy or sell goods is not revocable.",
    },
    {
      source: "Case note on options",
      text: "At common law an offeror may withdraw an offer at any time before acceptance.",
    },
  ],
};

const PAPERS = [
  { title: "Calibration of language models", abstract: "Confidence that is asked for in words is poorly calibrated." },
  { title: "Self-consistency", abstract: "Several samples that agree are more often right than one alone." },
];

/** A text for every required field of an object schema. */
const filled = ({ required = [] }, note) => Object.fromEntries(required.map((name) => [name, `The ${name}. ${note}`]));

/** @type {Record<string, Omit<Scenario, "workflow">[]>} */
const SCENARIOS = {
  requirements: [
    {
      name: "interview",
      input: { idea: "A library that lends tools to neighbours.", stakeholders: MAKERS },
      options: { human_stakeholder: true, qa_rounds: 1, num_user_stories: 2, checkpoints: ["requirement_draft"] },
    },
    {
      name: "stories at once",
      input: { idea: "A calendar for a choir.", stakeholders: MAKERS },
      options: { qa_rounds: 0, num_user_stories: 2, checkpoints: ["user_stories"] },
    },
  ],
  waterfall: [
    {
      name: "clarification",
      input: {
        requirement: "Plan a weekend in Lisbon for two people who like science museums, and say what it costs.",
      },
      options: { clarification: "ask", checkpoints: ["task_plan"] },
    },
  ],
  debate: [
    {
      name: "review",
      input: OFFER,
      options: { solvers: 0, cross_examiner: true, human_review: true, rounds: 2, checkpoints: ["option_ranking"] },
      additions: (_, note) => ({ questions: [{ debater: "debater_2", question: `What of the signature? ${note}` }] }),
    },
  ],
  ideation: [
    {
      name: "selection",
      input: { topic: "Prompting methods that tell how sure a language model is.", papers: PAPERS },
      options: {
        preset: "baseline",
        ideas: 3,
        trials: 2,
        proposals: 1,
        tournament_rounds: 2,
        checkpoints: ["kept_ideas", "proposal"],
      },
      // Test mode's stand-in for an encoder needs no calibration.
      live_acts: ["deduplication/embed#calibration.1"],
      additions: ({ properties }, note) => (properties.add ? { add: [filled(properties.add.items, note)] } : {}),
    },
  ],
  plain: [
    {
      name: "one call",
      input: { question: OFFER.question, choices: OFFER.choices },
      options: { checkpoints: ["answer"] },
    },
  ],
  experiment: [
    {
      name: "two variants",
      // Every act of a scenario has one answer, so the variants differ in nothing, and each item is answered alike.
      input: { variants: ["one", "two"].map((name) => ({ name, workflow: "plain" })) },
      options: { repetitions: 1, concurrency: 2, resamples: 1000, on_failure: { retries: 5 } },
      dataset: {
        workflow: "plain",
        items: ["q1", "q2", "q3"].map((id) => ({
          id,
          input: { question: `${OFFER.question} (${id})`, choices: OFFER.choices },
          gold: { choice: "A" },
        })),
      },
    },
  ],
};

/** Nobody answers in time, and the run proceeds without answers. */
const ABSENT = { on_expiry: "proceed", interaction_timeout: "1m", checkpoints: [] };

/**
 * The scenarios of a server's workflows.
 * @param {string[]} workflows names
 * @param {{absent: boolean}} options `absent` adds scenarios in which nobody answers: their rehearsals take a minute for each question
 * @returns {(Scenario & {absent: boolean})[]}
 */
export function scenariosOf(workflows, { absent }) {
  return workflows.flatMap((workflow) => {
    const own = SCENARIOS[workflow];
    if (!own) throw new Error(`Add scenarios of ${workflow} to scripts/chaos/scenarios.mjs.`);
    const named = own.map((scenario) => ({ ...scenario, workflow, absent: false }));
    const [first] = named;
    // An experiment's trials ask nobody.
    if (!absent || !first || first.dataset) return named;
    return [...named, { ...first, name: "nobody answers", options: { ...first.options, ...ABSENT }, absent: true }];
  });
}
