import type { Artifact } from "#workflow-kit/artifact";
import type { Run } from "#workflow-kit/run";
import type { Position, Authority, SideAnswer } from "../artifacts";
import type { Statement } from "./topology";

/** What a debate has produced so far. It changes between stages only. */
export interface DebateState {
  /** Debater n defends the n-th. */
  positions: readonly Position[];
  /** Authorities that all debaters see. */
  authorities: readonly Authority[];
  /** Artifacts that the authorities came from, without their content. */
  sources: readonly Artifact[];
  /** Corpora of the request that no longer existed when they were searched. */
  missing: readonly string[];
  /** Number of passages in the run's own evidence; null: corpora are searched too, and their passages are not counted. */
  passages: number | null;
  rounds: readonly (readonly Statement[])[];
  /** Sources of the run's own evidence that did not fit, and are not shown or only in part. */
  not_shown: readonly string[];
}

/** A side's answer to a question before judgment. */
export interface SideReply {
  debater: number;
  asked_by: "cross_examiner" | "human";
  asked: string;
  answer: Artifact<SideAnswer>;
  /** Ids of the authorities that the side had been shown. */
  shown: readonly string[];
}

type Positions = Pick<DebateState, "positions" | "rounds">;

/** The position that a debater holds: that of its last brief, else the one that it was assigned. */
export function heldBy(debater: number, { positions, rounds }: Positions): Position {
  const last = rounds.at(-1)?.find((statement) => statement.debater === debater);
  return last ? positions.find(({ label }) => label === last.position)! : positions[debater - 1]!;
}

/** The positions that a debater held before and after its brief of a round. */
export function positionsAround(
  debater: number,
  round: number,
  { positions, rounds }: Positions,
): [Position, Position] {
  const heldAfter = (count: number) => heldBy(debater, { positions, rounds: rounds.slice(0, count) });
  return [heldAfter(round - 1), heldAfter(round)];
}

/** Numbers of the debaters, from 1. */
export const debatersOf = ({ positions }: Pick<DebateState, "positions">): number[] =>
  positions.map((_, index) => index + 1);

export const statementsOf = (debater: number, { rounds }: Pick<DebateState, "rounds">): Statement[] =>
  rounds.flat().filter((statement) => statement.debater === debater);

export const lastBriefs = ({ rounds }: Pick<DebateState, "rounds">): Artifact[] =>
  (rounds.at(-1) ?? []).map(({ brief }) => brief);

/** Debaters whose position the answer to a question with choices is. */
export const holdersOf = (answer: string | null, state: DebateState): number[] =>
  debatersOf(state).filter((debater) => heldBy(debater, state).label === answer);

export const idsOf = (authorities: readonly Authority[]): string[] => authorities.map(({ id }) => id);

/** An artifact as a later step names it as input, and as a step's result holds it. */
export const withoutContent = (artifact: Artifact): Artifact => ({ ...artifact, content: null });

/** Runs two functions in parallel. */
export async function runBoth<A, B>(run: Run, first: () => Promise<A>, second: () => Promise<B>): Promise<[A, B]> {
  const functions: (() => Promise<unknown>)[] = [first, second];
  return (await run.parallel(functions, (call) => call())) as [A, B];
}
