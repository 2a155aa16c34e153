import type { Run } from "#workflow-kit/run";
import type {
  Authority,
  Brief,
  CheckedCitation,
  Choice,
  OmittedText,
  Position,
  Question,
  Supports,
} from "../artifacts";
import { blinder } from "./blinding";
import { checkCitations, labelOf, numbered, numberOf, type Cited, type Numbered } from "./citations";
import type { JudgedCitation, Party } from "../inputs";
import { isOpen } from "./question";
import { shuffled } from "#workflow-kit/seeded-random";
import { debaterName } from "./topology";
import { debatersOf, positionsAround, statementsOf, type DebateState, type SideReply } from "./debate-state";

/** The case as the judge sees it: parties under letters, with their briefs and answers. */
export interface Courtroom {
  parties: Party[];
  /** Letter of each debater, by its number. */
  letters: ReadonlyMap<number, string>;
  /** Model of each debater, by its number. */
  models: ReadonlyMap<number, string>;
  citations: Numbered[];
  authorities: Authority[];
  note: string | null;
  left_out: OmittedText[];
}

/** Letters of parties; repeated ones (`XX`) serve when choices use all single letters. */
const LETTERS = [..."XYZWVUTSRQP"].flatMap((letter) => [letter, ...[2, 3, 4, 5].map((times) => letter.repeat(times))]);

/** Letters for parties, from the end of the alphabet and never the label of a choice. */
export function partyLetters(choices: readonly Choice[]): string[] {
  const taken = new Set(choices.map(({ label }) => label.trim().toUpperCase()));
  return LETTERS.filter((letter) => !taken.has(letter)).toSorted((one, other) => one.length - other.length);
}

/** The part of `Context` that the courtroom needs. */
export interface CourtroomCase {
  run: Pick<Run, "models">;
  question: Question;
  /** Seed of the order of the parties. */
  seed: number;
  options: { judging: "blind" | "labeled"; positions: string | readonly string[] };
}

/**
 * Builds the judge's view of the case (Silva et al., 3.4: judge awareness). The seed decides the order of the parties. In blind
 * judging, words that identify a writer are hidden everywhere except in quotes.
 */
export function createCourtroom(
  context: CourtroomCase,
  state: DebateState,
  replies: readonly SideReply[],
  note: string | null,
): Courtroom {
  const { run, options, question, seed } = context;
  const order = shuffled(debatersOf(state), seed);
  const free = partyLetters(question.choices);
  const letters = new Map(order.map((debater, index) => [debater, free[index]!]));
  const models = new Map(order.map((debater) => [debater, run.models.of("debater", debater)]));
  const blind = options.judging === "blind";
  const left_out: OmittedText[] = [];
  const hideFor = blind ? createHider(context, state, models, left_out) : () => (text: string) => text;
  const testimonies = order.flatMap((debater) => testimoniesOf(debater, state, replies));
  const checked = testimonies.map((testimony) => checkCitations([testimony], state.authorities, question.jurisdiction));
  const citations = numbered(checked.flat());
  const numbers = new Map(citations.flatMap(({ number, all }) => all.map((citation) => [citation, number] as const)));
  const judgedCitation = (citation: CheckedCitation, hide: Hide): JudgedCitation => ({
    number: numbers.get(citation)!,
    // Words that the evidence does not contain are the debater's own, in any field.
    authority_id:
      citation.authority === "unknown"
        ? hide(citation.authority_id)
        : labelOf(citation.authority_id, state.authorities),
    quote: citation.quote_found ? citation.quote : hide(citation.quote),
    proposition: hide(citation.proposition),
    authority_known: citation.authority === "shown",
    quote_match: citation.quote_match,
    foreign: citation.foreign,
    support: null,
  });
  const hidePosition = (position: Position, hide: Hide): Position => ({
    ...position,
    statement: hide(position.statement),
    rule: position.rule && hide(position.rule),
  });
  const party = (debater: number): Party => {
    const mine = testimonies.flatMap((testimony, index) => {
      if (testimony.number !== debater) return [];
      const hide = hideFor(debater, testimony.round);
      const quotes = checked[index]!.filter(({ quote_found }) => quote_found).map(({ quote }) => quote);
      const judged = checked[index]!.map((citation) => judgedCitation(citation, hide));
      return [{ ...testimony, judged, hideIn: (text: string) => hide(text, quotes) }];
    });
    return {
      letter: letters.get(debater)!,
      model: blind ? null : models.get(debater)!,
      position: hidePosition(state.positions[debater - 1]!, hideFor(debater, null)),
      briefs: mine.flatMap(({ brief, round, judged, hideIn }) =>
        brief && round !== null
          ? [
              {
                round,
                moved_to: movedTo(context, debater, round, state, hideFor(debater, round)),
                citations: judged,
                ...shownBrief(brief, hideIn),
              },
            ]
          : [],
      ),
      answers: mine.flatMap(({ reply, judged, hideIn }) =>
        reply ? [{ asked_by: reply.asked_by, citations: judged, ...shownAnswer(reply, hideIn, letters) }] : [],
      ),
    };
  };
  return {
    parties: order.map(party),
    letters,
    models,
    citations,
    authorities: [...state.authorities],
    note: note === null ? null : hideFor(null, null)(withLetters(note, letters)),
    left_out,
  };
}

/** The parties with the clerk's findings on their citations. */
export function withClerk(parties: readonly Party[], supports: Supports): Party[] {
  const byNumber = new Map(supports.map((support) => [numberOf(support.citation), support]));
  const found = <T extends { citations: readonly JudgedCitation[] }>(part: T): T => ({
    ...part,
    citations: part.citations.map((citation) => ({ ...citation, support: byNumber.get(citation.number) ?? null })),
  });
  return parties.map((party) => ({ ...party, briefs: party.briefs.map(found), answers: party.answers.map(found) }));
}

/** All citations of the parties as the judge sees them. */
export const citationsOf = (parties: readonly Party[]): JudgedCitation[] =>
  parties.flatMap(({ briefs, answers }) => [...briefs, ...answers].flatMap(({ citations }) => citations));

type Hide = (text: string, verbatim?: readonly string[]) => string;

/** Creates the function that hides identifying words of a debater, or of a person (null). It adds the hidden words to `left_out`. */
function createHider(
  { run, question, options }: CourtroomCase,
  { authorities }: DebateState,
  models: ReadonlyMap<number, string>,
  left_out: OmittedText[],
): (debater: number | null, round: number | null) => Hide {
  const others = ["judge", "cross_examiner"].map((role) => run.models.of(role));
  const hide = blinder({
    models: [...new Set([...models.values(), ...others])],
    caseText: [
      question.text,
      ...question.choices.map(({ text }) => text),
      ...(Array.isArray(options.positions) ? options.positions : []),
      ...authorities.flatMap(({ source, title, excerpt }) => [source, title ?? "", excerpt]),
    ].join("\n"),
  });
  return (debater, round) =>
    (text, verbatim = []) =>
      hide(text, verbatim, (words) =>
        left_out.push({ debater: debater === null ? null : debaterName(debater), round, words }),
      );
}

/** A brief or an answer of a side, with its citations. */
interface Testimony extends Cited {
  number: number;
  brief: Brief | null;
  reply: SideReply | null;
}

function testimoniesOf(number: number, state: DebateState, replies: readonly SideReply[]): Testimony[] {
  const debater = debaterName(number);
  const briefs = statementsOf(number, state).map(({ round, brief, shown }) => ({
    number,
    debater,
    round,
    citations: brief.content.citations,
    shown,
    brief: brief.content,
    reply: null,
  }));
  const answers = replies
    .filter((reply) => reply.debater === number)
    .map((reply) => ({
      number,
      debater,
      round: null,
      citations: reply.answer.content.citations,
      shown: reply.shown,
      brief: null,
      reply,
    }));
  return [...briefs, ...answers];
}

type HideIn = (text: string) => string;

const shownBrief = ({ claims, rebuts, application, concedes }: Brief, hideIn: HideIn) => ({
  claims: claims.map(hideIn),
  rebuts: rebuts.map(({ point, answer }) => ({ point: hideIn(point), answer: hideIn(answer) })),
  application: hideIn(application),
  concedes: concedes.map(hideIn),
});

const shownAnswer = ({ asked, answer }: SideReply, hideIn: HideIn, letters: ReadonlyMap<number, string>) => ({
  question: hideIn(withLetters(asked, letters)),
  answer: hideIn(answer.content.answer),
  concedes: answer.content.concedes.map(hideIn),
});

function movedTo(
  { question }: Pick<CourtroomCase, "question">,
  debater: number,
  round: number,
  state: DebateState,
  hideIn: HideIn,
): string | null {
  const [before, after] = positionsAround(debater, round, state);
  return before.label === after.label
    ? null
    : hideIn(isOpen(question) ? after.statement : `${after.label}) ${after.statement}`);
}

/** Replaces the names of debaters, which a person sees in the artifacts, by the judge's letters. */
const withLetters = (text: string, letters: ReadonlyMap<number, string>): string =>
  text.replace(/\bdebater[_\s]?(\d+)\b/giu, (name, number: string) => {
    const letter = letters.get(Number(number));
    return letter ? `Party ${letter}` : name;
  });

/** The debater that the judge names: "X", "Party X", "parte X, que defende B"; null: none. */
export function debaterOf(winner: string | null, letters: ReadonlyMap<number, string>): number | null {
  const text = winner?.trim() ?? "";
  const byLetter = (name: string) => [...letters].find(([, letter]) => letter === name)?.[0] ?? null;
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  return byLetter(text.toUpperCase()) ?? words.map(byLetter).find((debater) => debater !== null) ?? null;
}
