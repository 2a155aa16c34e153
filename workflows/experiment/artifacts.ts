import type { KindDefinition } from "#workflow-kit/workflow";

const ALL = ["all"] as const;

/** All kinds of artifacts of an experiment. */
export const KINDS = {
  child_runs: {
    summary: "How the trials ended: name, run, status, error. `reused`: runs of earlier experiments.",
    send_to: ALL,
  },
  trial_results: { summary: "Scores, usage and short answers of up to a hundred trials.", send_to: ALL },
  analysis: { summary: "Means, intervals and comparisons of all measures.", send_to: ALL },
  report_markdown: { summary: "The report of the experiment.", send_to: ALL },
  trials_csv: { summary: "A line for each trial, CSV.", send_to: ALL },
  trials_ndjson: { summary: "A line for each trial, NDJSON.", send_to: ALL },
  plot: { summary: "A plot of the results, SVG.", send_to: ALL },
} as const satisfies Record<string, KindDefinition>;

export type Kind = keyof typeof KINDS;
