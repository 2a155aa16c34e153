import { defineAction } from "#workflow-kit/action";
import { line, repeated } from "#workflow-kit/prompt-values";
import chooseOptionPrompt from "../../../prompts/debate/choose_option.md";
import framePositionsPrompt from "../../../prompts/debate/frame_positions.md";
import proposeFramingPrompt from "../../../prompts/debate/propose_framing.md";
import rankOptionsPrompt from "../../../prompts/debate/rank_options.md";
import {
  framingsSchema,
  ownFramingSchema,
  preferenceSchema,
  rankingSchema,
  type Framing,
  type Framings,
  type Preference,
  type Ranking,
  type Question,
} from "../artifacts";
import type { ChooseOptionInput, FramePositionsInput, ProposeFramingInput, RankOptionsInput } from "../inputs";
import { parseChoice } from "../rules/question";
import { rehearseFraming, rehearseFramings, rehearsePreference, rehearseRanking } from "../rehearsal/assignment";
import { evidenceValues, questionValues } from "./prompt-values";
import { wordless } from "./faults";

/** A debate needs two sides; where the law is settled, more are not worth their calls. */
const FEWEST_THESES = 2;

const unknownLabels = (labels: readonly string[], { choices }: Question): string[] =>
  labels
    .filter((label) => parseChoice(label, choices) === null)
    .map(
      (label) => `No option is labeled "${line(label)}". The labels are ${choices.map((one) => one.label).join(", ")}.`,
    );

export const rankOptions = defineAction<RankOptionsInput, Ranking>({
  name: "rank_options",
  role: "debater",
  kind: "option_ranking",
  summary: "Says how likely each choice is to be right, before the debate.",
  prompt: rankOptionsPrompt,
  output: rankingSchema,
  variables: ({ question }) => questionValues(question),
  check: ({ options }, { question }) => {
    const labels = options.map(({ label }) => label);
    return [...unknownLabels(labels, question), ...repeated("label", labels)];
  },
  outcomes: ["ok"],
  rehearse: (input, _outcome, feedback) => rehearseRanking(input, feedback),
});

export const chooseOption = defineAction<ChooseOptionInput, Preference>({
  name: "choose_option",
  role: "debater",
  kind: "option_preference",
  summary: "Says which choices a debater would defend, the best first.",
  prompt: chooseOptionPrompt,
  output: preferenceSchema,
  variables: ({ question }) => questionValues(question),
  check: ({ labels }, { question }) => [...unknownLabels(labels, question), ...repeated("label", labels)],
  outcomes: ["ok"],
  rehearse: (input, _outcome, feedback) => rehearsePreference(input, feedback),
});

export const proposeFraming = defineAction<ProposeFramingInput, Framing>({
  name: "propose_framing",
  role: "debater",
  kind: "framing",
  summary: "Says how a debater would answer an open question, and by which rule.",
  prompt: proposeFramingPrompt,
  output: ownFramingSchema,
  variables: ({ question, authorities }) => ({ ...withoutChoices(question), ...evidenceValues(authorities) }),
  check: ({ thesis, governing_rule }) =>
    wordless([
      ["`thesis`", thesis],
      ["`governing_rule`", governing_rule],
    ]),
  outcomes: ["ok"],
  rehearse: (input, _outcome, feedback) => rehearseFraming(input, feedback),
});

export const framePositions = defineAction<FramePositionsInput, Framings>({
  name: "frame_positions",
  role: "debater",
  kind: "framings",
  summary: "Finds competing theses for an open question, each with its governing rule.",
  prompt: framePositionsPrompt,
  output: framingsSchema,
  variables: ({ question, authorities, count, proposals }) => ({
    ...withoutChoices(question),
    ...evidenceValues(authorities),
    count,
    proposals: proposals.map(({ thesis, governing_rule }) => ({ thesis: line(thesis), rule: line(governing_rule) })),
  }),
  check: ({ framings }, { count }) => [
    ...(framings.length >= FEWEST_THESES && framings.length <= count
      ? []
      : [`There are ${framings.length} framings; give ${FEWEST_THESES} to ${count}.`]),
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
  rehearse: (input, _outcome, feedback) => rehearseFramings(input, feedback),
});

/** An open question has no choices to show. */
function withoutChoices(question: Question) {
  const { choices: _, ...values } = questionValues(question);
  return values;
}
