import type { Misconceptions, Question } from "../artifacts";
import type { ReadBrief } from "../inputs";
import { statementsOf, type DebateState } from "./debate-state";
import { isOpen } from "./question";
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

/** Length of a brief that a request leaves open: an open question has more to treat. Tokens, quotes not counted. */
const BRIEF_TOKENS = { choices: 400, open: 900 } as const;

/** The length that briefs are asked for, in tokens without quotes. */
export const briefTokens = (options: { brief_tokens?: number | undefined }, question: Question): number =>
  options.brief_tokens ?? (isOpen(question) ? BRIEF_TOKENS.open : BRIEF_TOKENS.choices);
