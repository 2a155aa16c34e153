import type { Artifact } from "#workflow-kit/artifact";
import type { Brief } from "../artifacts";

export const TOPOLOGIES = ["sparse_ring", "sparse_rival", "sparse_all", "full"] as const;
export type Topology = (typeof TOPOLOGIES)[number];

/** One debater's brief of one round, with the position that the debater held after it. */
export interface Statement {
  /** Number of the debater, from 1, in the order of positions. */
  debater: number;
  round: number;
  position: string;
  brief: Artifact<Brief>;
  /** The opponents' briefs that it read before it wrote; an opening has read none. */
  answers?: readonly { debater: number; round: number }[];
  /** Ids of the authorities that it was shown. */
  shown: readonly string[];
}

export const debaterName = (number: number): string => `debater_${number}`;

/**
 * The opponents' briefs that a debater reads before a rebuttal (Silva et al., 3.3). With two debaters every sparse topology shows the
 * opponent's last brief.
 * @param history briefs of all rounds so far, each round in the order of debaters
 * @param strength strength of a statement's side, for `sparse_rival`
 */
export function visibleTo(
  debater: number,
  history: readonly (readonly Statement[])[],
  topology: Topology,
  strength: (statement: Statement) => number,
): Statement[] {
  const last = history.at(-1) ?? [];
  const others = (statements: readonly Statement[]) => statements.filter((statement) => statement.debater !== debater);
  switch (topology) {
    case "full":
      return history.flatMap(others);
    case "sparse_all":
      return others(last);
    case "sparse_ring": {
      const own = last.findIndex((statement) => statement.debater === debater);
      return last.length < 2 ? [] : [last[(own + last.length - 1) % last.length]!];
    }
    case "sparse_rival": {
      const rivals = others(last).toSorted((one, other) => strength(other) - strength(one));
      return rivals.slice(0, 1);
    }
  }
}
