import { defineAction } from "#workflow-kit/action";
import { line, repeated } from "#workflow-kit/prompt-values";
import { at } from "#workflow-kit/text";
import answerBrieflyTask from "../../../prompts/debate/answer_briefly.md";
import chooseOptionTask from "../../../prompts/debate/choose_option.md";
import framePositionsTask from "../../../prompts/debate/frame_positions.md";
import proposeFramingTask from "../../../prompts/debate/propose_framing.md";
import rankOptionsTask from "../../../prompts/debate/rank_options.md";
import {
  framingsSchema,
  ownFramingSchema,
  preferenceSchema,
  rankingSchema,
  shortAnswerSchema,
  type Framing,
  type Framings,
  type Preference,
  type Ranking,
  type ShortAnswer,
} from "../artifacts";
import type { AnswerBrieflyInput, CaseInput, FramePositionsInput } from "../inputs";
import { mockFraming, mockFramings, mockPreference, mockRanking, mockShortAnswer } from "../mock/assignment";
import { caseValues } from "./prompt-values";
import { promptsOf } from "./prompts";
import { optionErrors, unknownLabels, wordless } from "./output-errors";
import { parseChoice } from "../rules/question";

/** A debate needs two sides; where the law is settled, more are not worth their calls. */
const MIN_THESES = 2;

export const rankOptions = defineAction<CaseInput, Ranking>({
  name: "rank_options",
  role: "debater",
  kind: "option_ranking",
  summary: "Says of each choice what decides for or against it, and how likely it is to be right, before the debate.",
  ...promptsOf(rankOptionsTask),
  output: rankingSchema,
  decoding: { temperature: 0 },
  variables: caseValues,
  check: ({ options, rival }, { question }) => [
    ...optionErrors(options, question),
    ...unknownLabels(rival === null ? [] : [rival], question),
  ],
  outcomes: ["ok"],
  mock: (input, _outcome, feedback) => mockRanking(input, feedback),
});

/** Errors of one model are alike when it works in one way; other ways make another error likelier. */
const WAYS = [
  "state the rule with its elements and exceptions, and your own answer, before you look at the options; then find the option that says the same, ground included.",
  "begin with the last option and go back to the first. Look in each, word by word, for the element that makes it wrong; what survives is your answer.",
  "think like the author of the question: which mistake is it to catch, which option fits that mistake, and why does the text state each fact?",
] as const;

/** A solver must name two options that differ. */
function shortAnswerErrors({ reasoning, answer, runner_up }: ShortAnswer, { question }: CaseInput): string[] {
  const [first, second] = [answer, runner_up].map((label) => parseChoice(label, question.choices));
  return [
    ...wordless([["`reasoning`", reasoning]]),
    ...unknownLabels([answer, runner_up], question),
    ...(first !== null && first === second ? ["`runner_up` is your answer; name another option."] : []),
  ];
}

export const answerBriefly = defineAction<AnswerBrieflyInput, ShortAnswer>({
  name: "answer_briefly",
  role: "debater",
  kind: "short_answer",
  summary: "Answers a question with choices apart from the other solvers, before positions are assigned.",
  ...promptsOf(answerBrieflyTask),
  output: shortAnswerSchema,
  variables: ({ solver, ...given }) => ({ ...caseValues(given), way: at(WAYS, solver - 1) }),
  check: shortAnswerErrors,
  outcomes: ["apart", "alike", "unsure", "cite_invented"],
  mock: (input, outcome, feedback) => mockShortAnswer(input, outcome, feedback),
});

export const chooseOption = defineAction<CaseInput, Preference>({
  name: "choose_option",
  role: "debater",
  kind: "option_preference",
  summary: "Says which choices a debater would defend, the best first.",
  ...promptsOf(chooseOptionTask),
  output: preferenceSchema,
  variables: caseValues,
  check: ({ labels }, { question }) => [...unknownLabels(labels, question), ...repeated("label", labels)],
  outcomes: ["ok"],
  mock: (input, _outcome, feedback) => mockPreference(input, feedback),
});

export const proposeFraming = defineAction<CaseInput, Framing>({
  name: "propose_framing",
  role: "debater",
  kind: "framing",
  summary: "Says how a debater would answer an open question, and by which rule.",
  ...promptsOf(proposeFramingTask),
  output: ownFramingSchema,
  variables: caseValues,
  check: ({ thesis, governing_rule }) =>
    wordless([
      ["`thesis`", thesis],
      ["`governing_rule`", governing_rule],
    ]),
  outcomes: ["ok"],
  mock: (input, _outcome, feedback) => mockFraming(input, feedback),
});

export const framePositions = defineAction<FramePositionsInput, Framings>({
  name: "frame_positions",
  role: "debater",
  kind: "framings",
  summary: "Finds competing theses for an open question, each with its governing rule.",
  ...promptsOf(framePositionsTask),
  output: framingsSchema,
  variables: ({ count, proposals, ...given }) => ({
    ...caseValues(given),
    count,
    proposals: proposals.map(({ thesis, governing_rule }) => ({ thesis: line(thesis), rule: line(governing_rule) })),
  }),
  check: ({ framings }, { count }) => [
    ...(framings.length >= MIN_THESES && framings.length <= count
      ? []
      : [`There are ${framings.length} framings; give ${MIN_THESES} to ${count}.`]),
    ...repeated(
      "thesis",
      framings.map(({ thesis }) => thesis.trim()),
    ),
    ...wordless(
      framings.flatMap(
        ({ thesis, governing_rule }, index) =>
          [
            [`\`thesis\` of framing ${index + 1}`, thesis],
            [`\`governing_rule\` of framing ${index + 1}`, governing_rule],
          ] as const,
      ),
    ),
  ],
  outcomes: ["ok"],
  mock: (input, _outcome, feedback) => mockFramings(input, feedback),
});
