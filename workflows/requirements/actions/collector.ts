import { defineAction } from "../../../src/engine/action";
import proposeQuestionPrompt from "../../../prompts/requirements/propose_question.md";
import writeReqDraftPrompt from "../../../prompts/requirements/write_req_draft.md";
import { questionSchema, type Questions } from "../artifacts";
import type { ProposeQuestionInput, WriteReqDraftInput } from "../inputs";
import { rehearseDraft } from "../rehearsal/draft";
import { rehearseQuestions } from "../rehearsal/interview";
import { IDENTITIES } from "../roles";
import { blanks, ideaValues, material, rejectionValues, repeated, roundsValues, storiesValues } from "./prompt-values";

const role = IDENTITIES.collector;

export const proposeQuestion = defineAction<ProposeQuestionInput, Questions>({
  name: "propose_question",
  role: "collector",
  kind: "requirement_question",
  summary: "Asks the stakeholders one to five questions.",
  prompt: proposeQuestionPrompt,
  output: questionSchema,
  variables: ({ idea, stories, rounds, round, rounds_planned, rejection }) => ({
    role,
    ...ideaValues(idea),
    stories: storiesValues(stories),
    rounds: roundsValues(rounds),
    round,
    rounds_planned,
    ...rejectionValues(rejection),
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
  outcomes: ["ok"],
  rehearse: (input, _outcome, feedback) => rehearseQuestions(input, feedback),
});

export const writeReqDraft = defineAction<WriteReqDraftInput, string>({
  name: "write_req_draft",
  role: "collector",
  kind: "requirement_draft",
  summary: "Writes the requirements draft, or improves it by an error report.",
  prompt: writeReqDraftPrompt,
  variables: ({ idea, template, stories, rounds, rejection }) => ({
    role,
    template: material(template),
    ...ideaValues(idea),
    stories: storiesValues(stories),
    rounds: roundsValues(rounds),
    ...rejectionValues(rejection),
  }),
  outcomes: ["ok"],
  rehearse: (input, _outcome, feedback) => rehearseDraft(input, feedback),
});
