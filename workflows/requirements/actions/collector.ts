import { defineAction } from "#workflow-kit/action";
import proposeQuestionPrompt from "../../../prompts/requirements/propose_question.md";
import writeReqDraftPrompt from "../../../prompts/requirements/write_req_draft.md";
import { questionSchema, type Questions } from "../artifacts";
import { SIMULATED, type ProposeQuestionInput, type WriteReqDraftInput } from "../inputs";
import { rehearseDraft } from "../rehearsal/draft";
import { rehearseQuestions } from "../rehearsal/interview";
import { IDENTITIES } from "../roles";
import {
  blanks,
  criteriaValues,
  ideaValues,
  escapeMaterial,
  rejectionValues,
  repeated,
  roundsValues,
  stakeholdersValues,
  storiesValues,
} from "./prompt-values";

const role = IDENTITIES.collector;

export const proposeQuestion = defineAction<ProposeQuestionInput, Questions>({
  name: "propose_question",
  role: "collector",
  kind: "requirement_question",
  summary: "Asks the stakeholders one to five questions.",
  prompt: proposeQuestionPrompt,
  output: questionSchema,
  variables: ({ idea, stakeholders, stories, rounds, round, rounds_planned, rejection }) => ({
    role,
    ...ideaValues(idea),
    stakeholders: stakeholdersValues(stakeholders),
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
  variables: ({ idea, template, criteria, stories, rounds, rejection }) => ({
    role,
    template: escapeMaterial(template),
    ...ideaValues(idea),
    criteria: criteriaValues(criteria),
    stories: storiesValues(stories),
    rounds: roundsValues(rounds),
    stood_in: rounds.some(({ answers }) => answers.some(({ from }) => from.endsWith(SIMULATED))) && SIMULATED.trim(),
    ...rejectionValues(rejection),
  }),
  outcomes: ["ok"],
  rehearse: (input, _outcome, feedback) => rehearseDraft(input, feedback),
});
