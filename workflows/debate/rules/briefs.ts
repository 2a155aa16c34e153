import type { Misconceptions } from "../artifacts";
import type { ReadBrief } from "../inputs";
import { statementsOf, type DebateState } from "./debate-state";
import { debaterName, type Statement } from "./topology";

/**
 * Statements as briefs for other readers.
 * @param misconceptions those found in a brief, by "<round> <debater>"
 */
export const readBriefs = (
  statements: readonly Statement[],
  positions: DebateState["positions"],
  misconceptions: ReadonlyMap<string, Misconceptions["misconceptions"]> = new Map(),
): ReadBrief[] =>
  statements.map(({ debater, position, round, brief }) => ({
    position: positions.find(({ label }) => label === position)!,
    round,
    brief: brief.content,
    misconceptions: misconceptions.get(`${round} ${debaterName(debater)}`) ?? [],
  }));

/** All briefs of one debater. */
export const briefsOf = (debater: number, state: Pick<DebateState, "rounds" | "positions">): ReadBrief[] =>
  readBriefs(statementsOf(debater, state), state.positions);

/** The last briefs of all other debaters. */
export const lastBriefsOfOthers = (
  debater: number,
  { rounds, positions }: Pick<DebateState, "rounds" | "positions">,
): ReadBrief[] =>
  readBriefs(
    (rounds.at(-1) ?? []).filter((statement) => statement.debater !== debater),
    positions,
  );
