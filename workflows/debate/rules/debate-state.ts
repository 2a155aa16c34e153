import type { Position, Authority, SideAnswer } from "../artifacts";
import type { Artifact } from "#workflow-kit/artifact";
import type { Statement } from "./topology";
import type { Run } from "#workflow-kit/run";

/** What lies on the table after some rounds. Changes between stages only. */
export interface DebateState {
  /** Debater n defends the n-th. */
  positions: readonly Position[];
  pool: readonly Authority[];
  /** Artifacts that the pool came from, without their content. */
  sources: readonly Artifact[];
  /** Corpora of the request that were no longer there when they were looked in. */
  missing: readonly string[];
  /** How many passages the run's own evidence has; null: corpora are looked in too, and nobody has counted. */
  passages: number | null;
  rounds: readonly (readonly Statement[])[];
}

/** What a side said when it was asked, and what it had been shown by then. */
export interface SideReply {
  debater: number;
  asked_by: "cross_examiner" | "human";
  asked: string;
  answer: Artifact<SideAnswer>;
  shown: readonly string[];
}

/** Which position a debater holds: that of its last brief, else its own. */
export function heldBy(debater: number, { positions, rounds }: Pick<DebateState, "positions" | "rounds">): Position {
  const last = rounds.at(-1)?.find((statement) => statement.debater === debater);
  return last ? positionOf(last.position, positions) : positions[debater - 1]!;
}

export const seatsOf = ({ positions }: Pick<DebateState, "positions">): number[] =>
  positions.map((_, index) => index + 1);

/** Two works at once. */
export async function both<A, B>(run: Run, one: () => Promise<A>, other: () => Promise<B>): Promise<[A, B]> {
  const works: (() => Promise<unknown>)[] = [one, other];
  return (await run.parallel(works, (work) => work())) as [A, B];
}

export const positionOf = (label: string, positions: readonly Position[]): Position =>
  positions.find((position) => position.label === label)!;
