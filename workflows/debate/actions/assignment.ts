import { defineAction } from "#workflow-kit/action";
import { line, repeated } from "#workflow-kit/prompt-values";
import chooseOptionTask from "../../../prompts/debate/choose_option.md";
import framePositionsTask from "../../../prompts/debate/frame_positions.md";
import proposeFramingTask from "../../../prompts/debate/propose_framing.md";
import rankOptionsTask from "../../../prompts/debate/rank_options.md";
import {
  framingsSchema,
  ownFramingSchema,
  preferenceSchema,
  rankingSchema,
  type Framing,
  type Framings,
  type Preference,
  type Ranking,
} from "../artifacts";
import type { CaseInput, FramePositionsInput } from "../inputs";
import { rehearseFraming, rehearseFramings, rehearsePreference, rehearseRanking } from "../rehearsal/assignment";
import { caseValues } from "./prompt-values";
import { promptsOf } from "./prompts";
import { optionFaults, unknownLabels, wordless } from "./faults";

/** A debate needs two sides; where the law is settled, more are not worth their calls. */
const FEWEST_THESES = 2;

export const rankOptions = defineAction<CaseInput, Ranking>({
  name: "rank_options",
  role: "debater",
  kind: "option_ranking",
  summary: "Says of each choice what decides for or against it, and how likely it is to be right, before the debate.",
  ...promptsOf(rankOptionsTask),
  output: rankingSchema,
  decoding: { temperature: 0 },
  variables: caseValues,
  check: ({ options }, { question }) => optionFaults(options, question),
  outcomes: ["ok"],
  rehearse: (input, _outcome, feedback) => rehearseRanking(input, feedback),
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
  rehearse: (input, _outcome, feedback) => rehearsePreference(input, feedback),
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
  rehearse: (input, _outcome, feedback) => rehearseFraming(input, feedback),
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
