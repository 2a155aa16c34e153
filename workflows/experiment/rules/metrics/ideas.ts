import type { Metric } from "./metric";

/** What the metrics read of an ideation's output. */
interface Ideas {
  metrics: {
    non_duplicate_ratio: number | null;
    configurations: readonly {
      precision_at: Readonly<Record<string, number>> | null;
      mean_score: number | null;
      win_rate: number | null;
    }[];
  };
}

const IDEATION = { version: 1, higher_is_better: true, workflows: ["ideation"], needs: [] } as const;

export const IDEA_METRICS: readonly Metric[] = [
  {
    ...IDEATION,
    name: "non_duplicate_ratio",
    summary: "Share of the ideas that are no duplicates of others of the run (Ueda et al., 4.2, diversity).",
    range: [0, 1],
    score: ({ output }) => (output as Ideas).metrics.non_duplicate_ratio,
  },
  {
    ...IDEATION,
    name: "precision_at",
    summary:
      "Share of the N best ideas that are of the first of two configurations that a run compares (`options.compare`), for N of 5, 10, 20, 40 and all (Ueda et al., 4.2, quality).",
    range: [0, 1],
    score: ({ output }) => {
      const precision = (output as Ideas).metrics.configurations[0]?.precision_at;
      return precision ? { ...precision } : null;
    },
  },
  {
    ...IDEATION,
    name: "tournament_score",
    summary: "Mean points of the ideas of the first of two compared configurations in the tournament (Si et al., 4.3).",
    range: [0, null],
    score: ({ output }) => (output as Ideas).metrics.configurations[0]?.mean_score ?? null,
  },
  {
    ...IDEATION,
    name: "tournament_win_rate",
    summary:
      "Share of the matches against the second configuration that ideas of the first have won, ties counted half.",
    range: [0, 1],
    score: ({ output }) => (output as Ideas).metrics.configurations[0]?.win_rate ?? null,
  },
];
