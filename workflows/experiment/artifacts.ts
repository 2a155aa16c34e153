import type { KindDefinition } from "#workflow-kit/workflow";

const ALL = ["all"] as const;

/** All kinds of artifacts of an experiment. */
export const KINDS = {
  child_runs: {
    summary: "How the trials ended: name, run, status, error. `reused`: runs of earlier experiments.",
    send_to: ALL,
  },
  trial_results: { summary: "Scores, usage and short answers of up to a hundred trials.", send_to: ALL },
  comparison: { summary: "The judge's evidence and scores for two answers.", send_to: ALL },
  rubric_grades: { summary: "The judge's points for an answer, by the item's rubric.", send_to: ALL },
  specification_grades: { summary: "The judge's scores of a requirements specification.", send_to: ALL },
  idea_comparison: { summary: "The judge's choice between two research proposals.", send_to: ALL },
  matched_names: { summary: "Elements of two requirements models that mean the same.", send_to: ALL },
  judgements: {
    summary: "What the judge found of up to twenty trials by one metric; failures with their reason.",
    send_to: ALL,
  },
  rating_plan: { summary: "What is rated: trials, pairs or citations, drawn at random.", send_to: ALL },
  rating_material: { summary: "What a rater reads for one rating, without names.", send_to: ["human"] },
  ratings: { summary: "What all raters said, by trial.", send_to: ALL },
  analysis: { summary: "Means, intervals and comparisons of all measures.", send_to: ALL },
  report_markdown: { summary: "The report of the experiment.", send_to: ALL },
  trials_csv: { summary: "A line for each trial, CSV.", send_to: ALL },
  trials_ndjson: { summary: "A line for each trial, NDJSON.", send_to: ALL },
  plot: { summary: "A plot of the results, SVG.", send_to: ALL },
} as const satisfies Record<string, KindDefinition>;

export type Kind = keyof typeof KINDS;
