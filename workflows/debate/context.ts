import type { Action } from "#workflow-kit/action";
import type { Artifact } from "#workflow-kit/artifact";
import type { Run } from "#engine/run";
import { seedOf } from "#engine/programs/execution";
import {
  KINDS,
  type Authority,
  type Brief,
  type Kind,
  type Misconceptions,
  type Position,
  type SideAnswer,
} from "./artifacts";
import type { Input, Options } from "./contract";
import type { ReadBrief } from "./inputs";
import { type Question, readAnswer } from "./rules/question";
import { debaterName, type Statement } from "./rules/topology";

/** What one run is about. */
export interface Case {
  run: Run;
  input: Input;
  options: Options;
  question: Question;
  /** Decides every order that is left to chance: the run's seed, or the run itself, with the question. */
  seed: number;
}

export function openCase(run: Run, input: Input, options: Options): Case {
  const { question: text, choices = [], jurisdiction = null, language = null } = input;
  const seed = seedOf(`${run.seed ?? run.id}/${text}`);
  return { run, input, options, question: { text, choices, jurisdiction, language }, seed };
}

/** What lies on the table after some rounds. Changes between stages only. */
export interface Floor {
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

export interface HowActed {
  key: string;
  /** Round of the debate, number of the sample or of the attempt: what `test.script` counts by. */
  iteration: number;
  member?: number;
  subject?: string;
  inputs?: readonly Artifact[];
}

export const perform = <I, O>({ run }: Case, action: Action<I, O>, input: I, how: HowActed): Promise<Artifact<O>> =>
  run.act(action, input, { ...how, sendTo: KINDS[action.kind as Kind].send_to });

/** Keeps what no model made. */
export const publish = <T>(
  { run }: Case,
  kind: Kind,
  content: T,
  by: { action: string; role: string; iteration?: number; inputs?: readonly Artifact[] },
): Promise<Artifact<T>> => run.record({ ...by, kind, content, sendTo: KINDS[kind].send_to });

/** Two works at once. */
export async function both<A, B>(run: Run, one: () => Promise<A>, other: () => Promise<B>): Promise<[A, B]> {
  const works: (() => Promise<unknown>)[] = [one, other];
  return (await run.parallel(works, (work) => work())) as [A, B];
}

export const seatsOf = ({ positions }: Pick<Floor, "positions">): number[] => positions.map((_, index) => index + 1);

export const idsOf = (authorities: readonly Authority[]): string[] => authorities.map(({ id }) => id);

const positionOf = (label: string, positions: readonly Position[]): Position =>
  positions.find((position) => position.label === label)!;

/** Which position a debater holds: that of its last brief, else its own. */
export function heldBy(debater: number, { positions, rounds }: Pick<Floor, "positions" | "rounds">): Position {
  const last = rounds.at(-1)?.find((statement) => statement.debater === debater);
  return last ? positionOf(last.position, positions) : positions[debater - 1]!;
}

/** Statements as briefs that others read. */
export const readBriefs = (
  statements: readonly Statement[],
  positions: readonly Position[],
  misconceptions: ReadonlyMap<string, Misconceptions["misconceptions"]> = new Map(),
): ReadBrief[] =>
  statements.map(({ debater, position, round, brief }) => ({
    position: positionOf(position, positions),
    round,
    brief: brief.content,
    misconceptions: misconceptions.get(`${round} ${debaterName(debater)}`) ?? [],
  }));

export const statementsOf = (debater: number, { rounds }: Pick<Floor, "rounds">): Statement[] =>
  rounds.flat().filter((statement) => statement.debater === debater);

/** All briefs of one debater. */
export const briefsOf = (debater: number, floor: Pick<Floor, "rounds" | "positions">): ReadBrief[] =>
  readBriefs(statementsOf(debater, floor), floor.positions);

/** The last briefs of all others. */
export const lastOfOthers = (
  debater: number,
  { rounds, positions }: Pick<Floor, "rounds" | "positions">,
): ReadBrief[] =>
  readBriefs(
    (rounds.at(-1) ?? []).filter((statement) => statement.debater !== debater),
    positions,
  );

/** The position that a debater goes over to; the one held when it stays, may not leave, or names none that there is. */
export function positionAfter(held: string, brief: Brief, positions: readonly Position[], free: boolean): string {
  if (!free || brief.switches_to === null) return held;
  return (
    readAnswer(
      brief.switches_to,
      positions.map(({ label, statement }) => ({ label, text: statement })),
    ) ?? held
  );
}
