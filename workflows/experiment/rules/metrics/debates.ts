import type { Metric } from "./metric";

interface Party {
  position: string;
  held: string;
}

/** Share of the debaters that ended at another position than they began with (spec, ambiguity 3). null: nobody debated. */
export const positionChanges: Metric = {
  name: "position_changes",
  version: 1,
  summary:
    "Share of the debaters that held another position at the end; none where the debate was skipped (Silva et al., H3).",
  range: [0, 1],
  higher_is_better: false,
  workflows: ["debate"],
  needs: [],
  score: ({ output }) => {
    const { parties } = output as { parties: readonly Party[] };
    return parties.length === 0
      ? null
      : parties.filter(({ position, held }) => position !== held).length / parties.length;
  },
};
