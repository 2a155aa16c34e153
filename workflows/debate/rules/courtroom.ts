import type { Run } from "#workflow-kit/run";
import type { Authority, Brief, CheckedCitation, Choice, LeftOut, Position, Question } from "../artifacts";
import { blinder } from "./blinding";
import { checkCitations, labelOf, numbered, type Cited, type Numbered } from "./citations";
import type { JudgedCitation, Party } from "../inputs";
import { isOpen } from "./question";
import { shuffled } from "#workflow-kit/seeded-random";
import { debaterName } from "./topology";
import { heldBy, seatsOf, type DebateState, type SideReply } from "./debate-state";

/** How the judge sees the case: which letters stand for whom, and what each party has said. */
export interface Courtroom {
  parties: Party[];
  /** Letter of each debater, by its number. */
  letters: ReadonlyMap<number, string>;
  /** Model of each debater, by its number. */
  models: ReadonlyMap<number, string>;
  citations: Numbered[];
  authorities: Authority[];
  note: string | null;
  left_out: LeftOut[];
}

/** Doubled where choices are so many that they use all of them. */
const LETTERS = [..."XYZWVUTSRQP"].flatMap((letter) => [letter, ...[2, 3, 4, 5].map((times) => letter.repeat(times))]);

/** Letters of parties, from the end of the alphabet, where options seldom have theirs: never the label of a choice. */
export function partyLetters(choices: readonly Choice[]): string[] {
  const taken = new Set(choices.map(({ label }) => label.trim().toUpperCase()));
  return LETTERS.filter((letter) => !taken.has(letter)).toSorted((one, other) => one.length - other.length);
}

/** What the courtroom reads of a run. */
export interface CourtroomCase {
  run: Pick<Run, "modelOf">;
  question: Question;
  /** Decides the order of the parties. */
  seed: number;
  options: { judging: "blind" | "labeled"; positions: string | readonly string[] };
}

/**
 * The case as the judge sees it (Silva et al., 3.4: judge awareness). Parties have letters in an order that the seed decides; when
 * judging is blind, what tells who wrote something is left out of all words but quotes.
 */
export function convene(
  theCase: CourtroomCase,
  floor: DebateState,
  replies: readonly SideReply[],
  note: string | null,
): Courtroom {
  const { run, options, question, seed } = theCase;
  const order = shuffled(seatsOf(floor), seed);
  const free = partyLetters(question.choices);
  const letters = new Map(order.map((debater, index) => [debater, free[index]!]));
  const models = new Map(order.map((debater) => [debater, run.modelOf("debater", debater)]));
  const blind = options.judging === "blind";
  const left_out: LeftOut[] = [];
  const hideOf = blind ? hiding(theCase, floor, models, left_out) : () => (text: string) => text;
  const testimonies = order.flatMap((debater) => testimoniesOf(debater, floor, replies));
  const checked = testimonies.map((testimony) => checkCitations([testimony], floor.pool, question.jurisdiction));
  const citations = numbered(checked.flat());
  const numberOf = new Map(citations.flatMap(({ number, all }) => all.map((citation) => [citation, number] as const)));
  const asJudged = (citation: CheckedCitation, hide: Hide): JudgedCitation => ({
    number: numberOf.get(citation)!,
    // What was not found in the evidence is the debater's own words, in whatever field it stands.
    authority_id:
      citation.authority === "unknown" ? hide(citation.authority_id) : labelOf(citation.authority_id, floor.pool),
    quote: citation.quote_found ? citation.quote : hide(citation.quote),
    proposition: hide(citation.proposition),
    authority_known: citation.authority === "shown",
    quote_found: citation.quote_found,
    foreign: citation.foreign,
  });
  const asTold = (position: Position, hide: Hide): Position => ({
    ...position,
    statement: hide(position.statement),
    rule: position.rule && hide(position.rule),
  });
  const party = (debater: number): Party => {
    const mine = testimonies.flatMap((testimony, index) => {
      if (testimony.number !== debater) return [];
      const hide = hideOf(debater, testimony.round);
      const quotes = checked[index]!.filter(({ quote_found }) => quote_found).map(({ quote }) => quote);
      const judged = checked[index]!.map((citation) => asJudged(citation, hide));
      return [{ ...testimony, judged, say: (text: string) => hide(text, quotes) }];
    });
    return {
      letter: letters.get(debater)!,
      model: blind ? null : models.get(debater)!,
      position: asTold(floor.positions[debater - 1]!, hideOf(debater, null)),
      briefs: mine.flatMap(({ brief, round, judged, say }) =>
        brief && round !== null
          ? [
              {
                round,
                moved_to: movedTo(theCase, debater, round, floor, hideOf(debater, round)),
                citations: judged,
                ...saidIn(brief, say),
              },
            ]
          : [],
      ),
      answers: mine.flatMap(({ reply, judged, say }) =>
        reply ? [{ asked_by: reply.asked_by, citations: judged, ...answered(reply, say, letters) }] : [],
      ),
    };
  };
  return {
    parties: order.map(party),
    letters,
    models,
    citations,
    authorities: [...floor.pool],
    note: note === null ? null : hideOf(null, null)(inLetters(note, letters)),
    left_out,
  };
}

type Hide = (text: string, verbatim?: readonly string[]) => string;

/** What hides the words of a debater; what it leaves out is kept in `left_out`. */
function hiding(
  { run, question, options }: CourtroomCase,
  { pool }: DebateState,
  models: ReadonlyMap<number, string>,
  left_out: LeftOut[],
): (debater: number | null, round: number | null) => Hide {
  const others = ["judge", "cross_examiner"].map((role) => run.modelOf(role));
  const hide = blinder({
    models: [...new Set([...models.values(), ...others])],
    caseText: [
      question.text,
      ...question.choices.map(({ text }) => text),
      ...(Array.isArray(options.positions) ? options.positions : []),
      ...pool.flatMap(({ source, title, excerpt }) => [source, title ?? "", excerpt]),
    ].join("\n"),
  });
  return (debater, round) =>
    (text, verbatim = []) =>
      hide(text, verbatim, (words) =>
        left_out.push({ debater: debater === null ? null : debaterName(debater), round, words }),
      );
}

/** Whatever a side has said that may hold citations. */
interface Testimony extends Cited {
  number: number;
  brief: Brief | null;
  reply: SideReply | null;
}

function testimoniesOf(number: number, { rounds }: DebateState, replies: readonly SideReply[]): Testimony[] {
  const debater = debaterName(number);
  const briefs = rounds
    .flat()
    .filter((statement) => statement.debater === number)
    .map(({ round, brief, shown }) => ({
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

type Say = (text: string) => string;

const saidIn = ({ claims, rebuts, application, concedes }: Brief, say: Say) => ({
  claims: claims.map(say),
  rebuts: rebuts.map(({ point, answer }) => ({ point: say(point), answer: say(answer) })),
  application: say(application),
  concedes: concedes.map(say),
});

const answered = ({ asked, answer }: SideReply, say: Say, letters: ReadonlyMap<number, string>) => ({
  question: say(inLetters(asked, letters)),
  answer: say(answer.content.answer),
  concedes: answer.content.concedes.map(say),
});

function movedTo(
  { question }: Pick<CourtroomCase, "question">,
  debater: number,
  round: number,
  { positions, rounds }: DebateState,
  say: Say,
): string | null {
  const held = (until: number) => heldBy(debater, { positions, rounds: rounds.slice(0, until) });
  const [before, after] = [held(round - 1), held(round)];
  return before.label === after.label
    ? null
    : say(isOpen(question) ? after.statement : `${after.label}) ${after.statement}`);
}

/** A person knows debaters by their names in the artifacts; the judge knows letters. */
const inLetters = (text: string, letters: ReadonlyMap<number, string>): string =>
  text.replace(/\bdebater[_\s]?(\d+)\b/giu, (name, number: string) => {
    const letter = letters.get(Number(number));
    return letter ? `Party ${letter}` : name;
  });

/** The debater whom the judge names: "X", "Party X", "parte X, que defende B". */
export function debaterOf(winner: string | null, letters: ReadonlyMap<number, string>): number | null {
  const said = winner?.trim() ?? "";
  const of = (name: string) => [...letters].find(([, letter]) => letter === name)?.[0] ?? null;
  const words = said.match(/[\p{L}\p{N}]+/gu) ?? [];
  return of(said.toUpperCase()) ?? words.map(of).find((debater) => debater !== null) ?? null;
}
