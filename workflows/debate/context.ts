import type { Run } from "#workflow-kit/run";
import { seedOf } from "#workflow-kit/programs";
import type { Authority, Brief, Misconceptions, Position, Question } from "./artifacts";
import type { Input, Options } from "./contract";
import type { ReadBrief } from "./inputs";
import { readAnswer } from "./rules/question";
import { debaterName, type Statement } from "./rules/topology";
import { type DebateState, positionOf } from "./rules/debate-state";

/** What one run is about. */
export interface DebateContext {
  run: Run;
  input: Input;
  options: Options;
  question: Question;
  /** Decides every order that is left to chance: the run's seed, or the run itself, with the question. */
  seed: number;
}

export function createContext(run: Run, input: Input, options: Options): DebateContext {
  const { question: text, choices = [], jurisdiction = null, language = null } = input;
  const seed = seedOf(`${run.seed ?? run.id}/${text}`);
  return { run, input, options, question: { text, choices, jurisdiction, language }, seed };
}

export const idsOf = (authorities: readonly Authority[]): string[] => authorities.map(({ id }) => id);
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

export const statementsOf = (debater: number, { rounds }: Pick<DebateState, "rounds">): Statement[] =>
  rounds.flat().filter((statement) => statement.debater === debater);

/** All briefs of one debater. */
export const briefsOf = (debater: number, floor: Pick<DebateState, "rounds" | "positions">): ReadBrief[] =>
  readBriefs(statementsOf(debater, floor), floor.positions);

/** The last briefs of all others. */
export const lastOfOthers = (
  debater: number,
  { rounds, positions }: Pick<DebateState, "rounds" | "positions">,
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
