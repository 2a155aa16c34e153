import { defineWorkflow } from "#workflow-kit/workflow";
import { actions } from "./actions";
import { KINDS } from "./artifacts";
import { Context } from "./context";
import { inputSchema, NAME, optionsSchema, outputSchema, type Input, type Options, type Output } from "./contract";
import { datasetErrors, requestErrors } from "./inputs/errors";
import { PRESENTERS } from "./reports/presenters";
import { roles } from "./roles";
import { chosenJudges, judgeCalls } from "./rules/metrics/chosen";
import { analyseTrials } from "./stages/analysis";
import { writeReport } from "./stages/report";
import { rateTrials } from "./stages/rating";
import { scoreTrials } from "./stages/scoring";
import { runTrials } from "./stages/trials";

/** Runs the variants on the items, scores what came out, and says what the scores show. Stages hand on references. */
async function runExperiment(context: Context): Promise<Output> {
  const { run } = context;
  const ran = await run.stage("trials", () => runTrials(context));
  const scored = await run.stage("scoring", () => scoreTrials(context, ran));
  const { rating } = context.options;
  const rated = rating ? await run.stage("rating", () => rateTrials(context, rating, ran)) : null;
  const evaluated = { ...scored, rated };
  const analysis = await run.stage("analysis", () => analyseTrials(context, evaluated));
  return run.stage("report", () => writeReport(context, evaluated, analysis));
}

export const experiment = defineWorkflow<Input, Options, Output>({
  name: NAME,
  version: 1,
  title: "Experiment",
  summary:
    "Runs variants of workflows on the items of a data set, scores their answers, and reports means and paired comparisons with intervals.",
  source: {
    title: "The evaluation sections of the papers that the other workflows implement",
    url: null,
  },
  stages: ["trials", "scoring", "rating", "analysis", "report"],
  roles,
  actions,
  kinds: KINDS,
  review_kinds: [],
  asks: ({ rating }) => (rating ? ["rating_material"] : []),
  input: inputSchema,
  options: optionsSchema,
  output: outputSchema,
  about: ({ title = null, variants }) => ({
    title,
    // Raters read this, so it names no variant.
    excerpt:
      variants.length === 1 ? "An experiment with one variant." : `An experiment with ${variants.length} variants.`,
  }),
  example: {
    input: {
      title: "Is a debate worth its tokens?",
      dataset_id: "dst_00000000000000000000000000",
      variants: [
        { name: "one-call", workflow: "plain" },
        { name: "debate", workflow: "debate", options: { rounds: 2 } },
      ],
    },
    options: { repetitions: 3, metrics: ["accuracy"] },
  },
  presenters: PRESENTERS,
  calls_after_child: ({ input: { variants }, options }, variant) => ({
    role: "judge",
    calls: judgeCalls(chosenJudges(options.metrics), variant, variants[0]!.name),
  }),
  datasets: ({ dataset_id }) => [dataset_id],
  check: ({ input, options }) => requestErrors(input, options),
  checkDataset: datasetErrors,
  run: (run, input, options) => runExperiment(new Context(run, input, options)),
});
