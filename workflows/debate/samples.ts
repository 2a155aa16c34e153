import type { Authority, Brief, Position, Question } from "./artifacts";
import { writeOpening, writeRebuttal } from "./actions";
import type { JudgedCitation, Party, ReadBrief } from "./inputs";

export const authority = (id: string, more: Partial<Authority> = {}): Authority => ({
  id,
  external_id: null,
  label: `S${id.replace(/\D/gu, "")}`,
  title: null,
  heading: null,
  source: `Statute ${id}`,
  jurisdiction: "US",
  language: "en",
  date: "2001-02-03",
  url: null,
  excerpt: `Section ${id}. An offer that is held open for a stated time cannot be revoked before that time has run.`,
  round: 0,
  requested_by: null,
  ...more,
});

export const question = (text: string, more: Partial<Question> = {}): Question => ({
  text,
  choices: [
    { label: "A", text: "The offer stands and can be accepted." },
    { label: "B", text: "The offer was revoked in time." },
    { label: "C", text: "There was never an offer." },
  ],
  jurisdiction: "US",
  language: "en",
  ...more,
});

export const position = (label: string, statement: string, more: Partial<Position> = {}): Position => ({
  label,
  statement,
  rule: null,
  probability: null,
  ...more,
});

const POOL = [
  authority("p1", { title: "art. 1" }),
  authority("p2", {
    heading: "Chapter II",
    jurisdiction: "BR",
    excerpt: "Art. 427. A proposta de contrato obriga o proponente.",
  }),
];

/** The input of each action in a mock run, by action name. With `open` the question has no choices. */
export function fullInputs(text: string, open = false): Record<string, unknown> {
  const asked = question(text, open ? { choices: [] } : {});
  const positions = open
    ? [
        position("P2", "The claim succeeds.", { rule: "Promissory estoppel." }),
        position("P1", "The claim fails.", { rule: "Revocability." }),
      ]
    : [
        position("A", "The offer stands and can be accepted.", { probability: 0.6 }),
        position("B", "The offer was revoked in time.", { probability: 0.3 }),
      ];
  const [mine, theirs] = positions as [Position, Position];
  const base = { question: asked, authorities: POOL, brief_tokens: 400 };
  const opening = (of: Position, outcome = "concede"): Brief => writeOpening.mock({ ...base, position: of }, outcome);
  const misconceptions = [{ claim: "Every offer binds.", correction: "Only one that is held open does." }];
  const own: ReadBrief[] = [{ position: mine, round: 1, brief: opening(mine), misconceptions }];
  const opponents: ReadBrief[] = [{ position: theirs, round: 1, brief: opening(theirs), misconceptions }];
  const requested = [
    { query: "lapse of an offer", found: ["S2"] },
    { query: "reliance", found: [] },
  ];
  const rebuttal = { ...base, position: mine, round: 2, own, opponents, open_positions: positions, requested };
  const { open_positions: _, brief_tokens: __, requested: ___, ...request } = rebuttal;
  const brief = writeRebuttal.mock(rebuttal, "concede");
  const citation: JudgedCitation = {
    number: "C1",
    ...brief.citations[0]!,
    authority_known: true,
    quote_match: "abridged",
    foreign: false,
    support: { citation: "C1", note: "It says so.", supported: true },
  };
  const wrong: JudgedCitation = { ...citation, number: "C2", quote_match: "altered", foreign: true, support: null };
  const party = (letter: string, of: Position): Party => ({
    letter,
    model: "openai/some-model",
    position: of,
    briefs: [
      {
        ...brief,
        claims: [...brief.claims, "A claim that is given up."],
        round: 1,
        moved_to: null,
        citations: [{ ...wrong, number: "C4", quote_match: "missing" }],
      },
      {
        ...brief,
        round: 2,
        moved_to: theirs.statement,
        citations: [citation, wrong, { ...wrong, number: "C3", authority_known: false }],
      },
    ],
    answers: [
      { asked_by: "human", question: "Why?", answer: "Because.", concedes: ["A point."], citations: [citation] },
    ],
  });
  const cross = { question: asked, authorities: POOL, position: mine, own, others: opponents };
  const proposals = [{ thesis: "It does.", governing_rule: "A rule." }];
  return {
    answer_briefly: { question: question(text), authorities: POOL, solver: 1 },
    rank_options: { question: question(text), authorities: POOL },
    choose_option: { question: question(text), authorities: POOL },
    propose_framing: { question: question(text, { choices: [] }), authorities: POOL },
    frame_positions: { question: question(text, { choices: [] }), authorities: POOL, count: 2, proposals },
    write_opening: { ...base, position: mine },
    request_snippet: { ...request, most: 2 },
    write_rebuttal: rebuttal,
    find_misconceptions: { question: asked, authorities: POOL, statement: own[0] },
    ask_cross_question: cross,
    answer_question: { ...cross, brief_tokens: 400, asked: "Which fact proves it?", asked_by: "human" },
    judge_debate: {
      question: asked,
      authorities: POOL,
      parties: [party("X", mine), party("Y", theirs)],
      note: "Mind the dates.",
      outside: "None",
    },
    answer_alone: { question: asked, authorities: POOL, outside: "None" },
    check_citations: { question: asked, authorities: POOL, citations: [citation, wrong] },
  };
}

/** The same inputs without their optional parts. */
export function bareInputs(text: string): Record<string, unknown> {
  const asked = question(text, { jurisdiction: null, language: null });
  const open = { ...asked, choices: [] };
  const mine = position("P1", "The claim fails.");
  const brief = {
    claims: ["It fails."],
    rebuts: [],
    application: "The rule applies.",
    citations: [],
    concedes: [],
    switches_to: null,
    confidence: 0.5,
  };
  const own: ReadBrief[] = [{ position: mine, round: 1, brief, misconceptions: [] }];
  const side = { question: open, authorities: [], position: mine, brief_tokens: 50 };
  const read = { own, opponents: [], round: 2 };
  const party: Party = {
    letter: "X",
    model: null,
    position: mine,
    answers: [],
    briefs: [{ ...brief, round: 1, moved_to: null, citations: [] }],
  };
  const citation = {
    number: "C1",
    authority_id: "p1",
    quote: "",
    proposition: "",
    authority_known: true,
    quote_match: "missing",
    foreign: false,
    support: null,
  };
  return {
    answer_briefly: { question: asked, authorities: [], solver: 2 },
    rank_options: { question: asked, authorities: [] },
    choose_option: { question: asked, authorities: [] },
    propose_framing: { question: open, authorities: [] },
    frame_positions: { question: open, authorities: [], count: 3, proposals: [] },
    write_opening: side,
    request_snippet: { question: open, authorities: [], position: mine, ...read, most: 1 },
    write_rebuttal: { ...side, ...read, open_positions: [], requested: [] },
    find_misconceptions: { question: open, authorities: [], statement: own[0] },
    ask_cross_question: { question: open, authorities: [], position: mine, own, others: [] },
    answer_question: { ...side, own, others: [], asked: "Why?", asked_by: "cross_examiner" },
    judge_debate: { question: open, authorities: [], parties: [party], note: null, outside: null },
    answer_alone: { question: open, authorities: [], outside: null },
    check_citations: {
      question: open,
      authorities: [authority("p1", { jurisdiction: null, date: null })],
      citations: [citation],
    },
  };
}

/** Texts of inputs that need no fence: of a closed set of words, or an id that code made. By action and path. */
export const CLOSED = /\.(label|number|letter)$|\/requested\.\d+\.found\.\d+$/;

/** Texts by which the caller or the deployment instructs the model: they stand outside of fences. */
export const INSTRUCTIONS = /\/parties\.\d+\.model$/;

/** Lists that are never empty. */
export const FILLED = /\/(question\.choices|citations)$/;
