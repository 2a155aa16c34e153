import { defineAction } from "#workflow-kit/action";
import { blanks, line } from "#workflow-kit/prompt-values";
import answerQuestionTask from "../../../prompts/debate/answer_question.md";
import askCrossQuestionTask from "../../../prompts/debate/ask_cross_question.md";
import findMisconceptionsTask from "../../../prompts/debate/find_misconceptions.md";
import requestSnippetTask from "../../../prompts/debate/request_snippet.md";
import writeOpeningTask from "../../../prompts/debate/write_opening.md";
import writeRebuttalTask from "../../../prompts/debate/write_rebuttal.md";
import writeOpeningPaperTask from "../../../prompts/debate/paper/write_opening.md";
import writeRebuttalPaperTask from "../../../prompts/debate/paper/write_rebuttal.md";
import {
  briefSchema,
  crossQuestionSchema,
  misconceptionsSchema,
  requestSchema,
  sideAnswerSchema,
  type Brief,
  type CrossQuestion,
  type Misconceptions,
  type SideAnswer,
  type SnippetRequest,
} from "../artifacts";
import type {
  AnswerQuestionInput,
  AskCrossQuestionInput,
  FindMisconceptionsInput,
  RequestSnippetInput,
  SideInput,
  WriteRebuttalInput,
} from "../inputs";
import { mockOpening, mockRebuttal, mockRequest } from "../mock/debating";
import { mockAnswer, mockCrossQuestion, mockMisconceptions } from "../mock/examining";
import {
  askerName,
  briefText,
  briefTexts,
  caseValues,
  openPositionsValues,
  requestedValues,
  positionValues,
} from "./prompt-values";
import { promptsOf } from "./prompts";
import { wordless } from "./output-errors";

/** A brief without arguments is sent back. Wrong citations are not: they are kept and counted. */
const briefErrors = ({ claims, application }: Brief): string[] =>
  wordless([...claims.map((claim, index) => [`Claim ${index + 1}`, claim] as const), ["`application`", application]]);

/** Most claims of a brief that the prompts ask for; the paper has no limit. */
const MAX_CLAIMS = 5;

const shortBriefErrors = (brief: Brief): string[] => [
  ...briefErrors(brief),
  ...(brief.claims.length > MAX_CLAIMS
    ? [`There are ${brief.claims.length} claims; write at most ${MAX_CLAIMS}.`]
    : []),
];

const rebutsErrors = ({ rebuts }: Brief, { opponents }: WriteRebuttalInput): string[] =>
  opponents.length && rebuts.length === 0 ? ["`rebuts` is empty: answer the opponents' strongest point."] : [];

const sideValues = ({ question, authorities, position }: Omit<SideInput, "brief_tokens">) => ({
  ...caseValues({ question, authorities }),
  ...positionValues(position, question),
});

/** Words of English in a number of tokens, to the next ten: models count words better. */
const wordsFor = (tokens: number): number => Math.round((tokens * 0.75) / 10) * 10;

const openingPrompts = promptsOf(writeOpeningTask, writeOpeningPaperTask);

export const writeOpening = defineAction<SideInput, Brief>({
  name: "write_opening",
  role: "debater",
  kind: "brief",
  summary: "Argues for a position, with citations.",
  prompt: openingPrompts.prompt,
  output: briefSchema,
  hidden: ["confidence"],
  variables: (input) => ({ ...sideValues(input), brief_words: wordsFor(input.brief_tokens) }),
  check: shortBriefErrors,
  paper: {
    ...openingPrompts.paper,
    variables: (input) => ({ ...sideValues(input), brief_tokens: input.brief_tokens }),
    check: briefErrors,
  },
  outcomes: ["ok", "no_citation", "cite_invented", "misquote", "foreign_jurisdiction", "concede", "tell_who"],
  mock: (input, outcome, feedback) => mockOpening(input, outcome, feedback),
});

const rebuttalPrompts = promptsOf(writeRebuttalTask, writeRebuttalPaperTask);

const rebuttalValues = (input: WriteRebuttalInput) => ({
  ...sideValues(input),
  own: briefTexts(input.own, input.question),
  opponents: briefTexts(input.opponents, input.question),
  ...requestedValues(input.requested),
  ...openPositionsValues(input.open_positions, input.question),
});

export const writeRebuttal = defineAction<WriteRebuttalInput, Brief>({
  name: "write_rebuttal",
  role: "debater",
  kind: "brief",
  summary: "Rebuts the strongest point of the opponents, and argues the position again.",
  prompt: rebuttalPrompts.prompt,
  output: briefSchema,
  hidden: ["confidence"],
  variables: (input) => ({ ...rebuttalValues(input), brief_words: wordsFor(input.brief_tokens) }),
  check: (brief, input) => [...shortBriefErrors(brief), ...rebutsErrors(brief, input)],
  paper: {
    ...rebuttalPrompts.paper,
    variables: (input) => ({ ...rebuttalValues(input), brief_tokens: input.brief_tokens }),
    check: (brief, input) => [...briefErrors(brief), ...rebutsErrors(brief, input)],
  },
  outcomes: ["ok", "no_citation", "cite_invented", "misquote", "foreign_jurisdiction", "concede", "switch", "tell_who"],
  mock: (input, outcome, feedback) => mockRebuttal(input, outcome, feedback),
});

export const requestSnippet = defineAction<RequestSnippetInput, SnippetRequest>({
  name: "request_snippet",
  role: "debater",
  kind: "snippet_request",
  summary: "Says what further evidence a debater wants for its rebuttal, or nothing.",
  ...promptsOf(requestSnippetTask),
  output: requestSchema,
  variables: (input) => ({
    ...sideValues(input),
    own: briefTexts(input.own, input.question),
    opponents: briefTexts(input.opponents, input.question),
    most: input.most,
  }),
  check: ({ queries }) => blanks(queries.map((query, index) => [`Query ${index + 1}`, query])),
  outcomes: ["request", "no_request"],
  mock: (input, outcome, feedback) => mockRequest(input, outcome, feedback),
});

export const findMisconceptions = defineAction<FindMisconceptionsInput, Misconceptions>({
  name: "find_misconceptions",
  role: "cross_examiner",
  kind: "misconceptions",
  summary: "Finds and corrects errors in a brief.",
  ...promptsOf(findMisconceptionsTask),
  output: misconceptionsSchema,
  variables: ({ question, authorities, statement }) => {
    const brief = briefText(statement, question);
    return { ...caseValues({ question, authorities }), brief };
  },
  check: ({ misconceptions }) =>
    wordless(
      misconceptions.map(({ correction }, index) => [`The correction of misconception ${index + 1}`, correction]),
    ),
  outcomes: ["found", "none"],
  mock: (input, outcome, feedback) => mockMisconceptions(input, outcome, feedback),
});

export const askCrossQuestion = defineAction<AskCrossQuestionInput, CrossQuestion>({
  name: "ask_cross_question",
  role: "cross_examiner",
  kind: "cross_question",
  summary: "Asks a side one question, on its weakest point or on what all sides take for granted.",
  ...promptsOf(askCrossQuestionTask),
  output: crossQuestionSchema,
  variables: (input) => ({
    ...sideValues(input),
    own: briefTexts(input.own, input.question),
    others: briefTexts(input.others, input.question),
  }),
  check: ({ question }) => wordless([["`question`", question]]),
  outcomes: ["ok"],
  mock: (input, _outcome, feedback) => mockCrossQuestion(input, feedback),
});

export const answerQuestion = defineAction<AnswerQuestionInput, SideAnswer>({
  name: "answer_question",
  role: "debater",
  kind: "side_answer",
  summary: "Answers a question that the Cross-Examiner or a person asked of a side.",
  ...promptsOf(answerQuestionTask),
  output: sideAnswerSchema,
  variables: (input) => ({
    ...sideValues(input),
    own: briefTexts(input.own, input.question),
    others: briefTexts(input.others, input.question),
    asked: line(input.asked),
    asked_by: askerName(input.asked_by),
  }),
  check: ({ answer }) => wordless([["`answer`", answer]]),
  outcomes: ["answer", "concede", "cite_invented"],
  mock: (input, outcome, feedback) => mockAnswer(input, outcome, feedback),
});
