import { defineAction } from "#workflow-kit/action";
import { blanks, line, escapeUntrusted, repeated } from "#workflow-kit/prompt-values";
import askClarificationsPrompt from "../../../prompts/waterfall/ask_clarifications.md";
import optimizeRequirementPrompt from "../../../prompts/waterfall/optimize_requirement.md";
import transformRequirementPrompt from "../../../prompts/waterfall/transform_requirement.md";
import verifyRequirementPrompt from "../../../prompts/waterfall/verify_requirement.md";
import paperAskClarificationsPrompt from "../../../prompts/waterfall/paper/ask_clarifications.md";
import paperOptimizeRequirementPrompt from "../../../prompts/waterfall/paper/optimize_requirement.md";
import {
  questionsSchema,
  refinedSchema,
  verdictSchema,
  type Questions,
  type Refined,
  type Verdict,
} from "../artifacts";
import { gherkinOf } from "../rules/gherkin";
import type {
  AskClarificationsInput,
  OptimizeRequirementInput,
  TransformRequirementInput,
  VerifyRequirementInput,
} from "../inputs";
import { mockGherkin, mockQuestions, mockRefinement } from "../mock/analysis";
import { mockVerdict } from "../mock/verdict";
import { contextValue, functionsValues, logBeside, logValues } from "./prompt-values";
import { withBlocks } from "./prompts";

/** A rejection needs a reason. */
export const verdictErrors = ({ accepted, reason }: Verdict): string[] =>
  !accepted && reason === null ? ["`accepted` is false and there is no `reason`. Say what is wrong."] : [];

export const askClarifications = defineAction<AskClarificationsInput, Questions>({
  name: "ask_clarifications",
  role: "clarification_question_expert",
  kind: "clarification_questions",
  summary: "Asks about what is unclear in the request, by five dimensions, or asks nothing.",
  prompt: withBlocks(askClarificationsPrompt),
  paper: { prompt: withBlocks(paperAskClarificationsPrompt) },
  output: questionsSchema,
  variables: ({ requirement, context, functions }) => ({
    requirement: escapeUntrusted(requirement),
    context: contextValue(context),
    ...functionsValues(functions),
  }),
  check: ({ questions }) => [
    ...repeated(
      "id",
      questions.map(({ id }) => id),
    ),
    ...blanks(
      questions.flatMap(
        ({ id, question }, index) =>
          [
            [`The id of question ${index + 1}`, id],
            [`Question ${index + 1}`, question],
          ] as const,
      ),
    ),
  ],
  outcomes: ["questions", "none"],
  mock: (input, outcome, feedback) => mockQuestions(input, outcome, feedback),
});

const unanswered = ({ log }: OptimizeRequirementInput): string[] =>
  log.entries.filter(({ answer }) => answer === null).map(({ id }) => id);

export const optimizeRequirement = defineAction<OptimizeRequirementInput, Refined>({
  name: "optimize_requirement",
  role: "requirement_optimization_expert",
  kind: "refined_requirement",
  summary: "Completes the request by its answers, inferring those that are missing, or by the reason of a rejection.",
  prompt: withBlocks(optimizeRequirementPrompt),
  paper: { prompt: withBlocks(paperOptimizeRequirementPrompt) },
  output: refinedSchema,
  variables: (input) => ({
    ...logValues(input.log),
    context: contextValue(input.log.context),
    ...functionsValues(input.functions),
    rejection: input.rejection && {
      requirement: escapeUntrusted(input.rejection.requirement),
      gherkin: escapeUntrusted(input.rejection.gherkin),
      reason: escapeUntrusted(input.rejection.reason),
    },
    unanswered: unanswered(input).map(line),
  }),
  check({ inferred_answers, refined_requirement }, input) {
    const inferred = inferred_answers.map(({ question }) => question);
    return [
      ...blanks([["`refined_requirement`", refined_requirement]]),
      ...unanswered(input)
        .filter((id) => !inferred.includes(id))
        .map((id) => `Question ${id} has no answer, and \`inferred_answers\` has none for it.`),
    ];
  },
  outcomes: ["ok"],
  mock: (input, _outcome, feedback) => mockRefinement(input, feedback),
});

export const transformRequirement = defineAction<TransformRequirementInput, string>({
  name: "transform_requirement",
  role: "requirement_transformation_expert",
  kind: "gherkin",
  summary: "Writes the refined requirement as Gherkin, and again when the parser or the verifier rejects it.",
  prompt: transformRequirementPrompt,
  media_type: "text/x-gherkin",
  tidy: gherkinOf,
  variables: ({ requirement, context, invalid, rejection }) => ({
    requirement: escapeUntrusted(requirement),
    context: contextValue(context),
    invalid: invalid && { text: escapeUntrusted(invalid.text), errors: invalid.errors.map(line) },
    rejection: rejection && { gherkin: escapeUntrusted(rejection.gherkin), reason: escapeUntrusted(rejection.reason) },
    fresh: !invalid && !rejection,
  }),
  outcomes: ["ok", "syntax_error"],
  mock: (input, outcome, feedback) => mockGherkin(input, outcome, feedback),
});

export const verifyRequirement = defineAction<VerifyRequirementInput, Verdict>({
  name: "verify_requirement",
  role: "requirement_verification_expert",
  kind: "requirement_verdict",
  summary: "Judges whether the Gherkin is what the user asked for.",
  prompt: withBlocks(verifyRequirementPrompt),
  output: verdictSchema,
  variables: ({ log, requirement, gherkin }) => ({
    ...logBeside(log, requirement),
    context: contextValue(log.context),
    requirement: escapeUntrusted(requirement),
    gherkin: escapeUntrusted(gherkin),
  }),
  check: verdictErrors,
  outcomes: ["accept", "reject"],
  mock: ({ gherkin }, outcome, feedback) => mockVerdict("the Gherkin", gherkin, outcome, feedback),
});
