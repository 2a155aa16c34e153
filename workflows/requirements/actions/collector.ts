import { defineAction } from "#workflow-kit/action";
import paperProposeQuestionPrompt from "../../../prompts/requirements/paper/propose_question.md";
import paperWriteReqDraftPrompt from "../../../prompts/requirements/paper/write_req_draft.md";
import proposeQuestionPrompt from "../../../prompts/requirements/propose_question.md";
import reviseReqDraftPrompt from "../../../prompts/requirements/revise_req_draft.md";
import writeReqDraftPrompt from "../../../prompts/requirements/write_req_draft.md";
import { draftChangesSchema, questionSchema, type DraftChanges, type Questions } from "../artifacts";
import type { ProposeQuestionInput, ReviseReqDraftInput, WriteReqDraftInput } from "../inputs";
import { mockDraft, mockRevision } from "../mock/draft";
import { mockQuestions } from "../mock/interview";
import { IDENTITIES } from "../roles";
import { changeErrors, numberedLines } from "../rules/draft-lines";
import {
  blanks,
  criteriaValues,
  givenStakeholdersValues,
  ideaValues,
  escapeUntrusted,
  line,
  rejectionValues,
  repeated,
  roundsValues,
  smellsValues,
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
  mock: (input, _outcome, feedback) => mockQuestions(input, feedback),
  paper: {
    prompt: paperProposeQuestionPrompt,
    variables: ({ idea, stakeholders, stories, rounds }) => ({
      role,
      idea: ideaValues(idea).idea,
      stakeholders: stakeholders.map(({ name }) => ({ name: line(name) })),
      stories: storiesValues(stories),
      asked: rounds.length > 0 && {
        questions: rounds.flatMap(({ questions }) => questions.map(({ question }) => line(question))),
      },
    }),
  },
});

export const writeReqDraft = defineAction<WriteReqDraftInput, string>({
  name: "write_req_draft",
  role: "collector",
  kind: "requirement_draft",
  summary: "Writes the requirements draft; anew by an error report where a person reviews drafts.",
  prompt: writeReqDraftPrompt,
  variables: ({ idea, stakeholders, template, criteria, stories, rounds, rejection }) => ({
    role,
    template: escapeUntrusted(template),
    ...ideaValues(idea),
    ...givenStakeholdersValues(stakeholders),
    criteria: criteriaValues(criteria),
    stories: storiesValues(stories),
    rounds: roundsValues(rounds),
    ...rejectionValues(rejection),
  }),
  outcomes: ["ok"],
  mock: (input, _outcome, feedback) => mockDraft(input, feedback),
  paper: {
    prompt: paperWriteReqDraftPrompt,
    variables: ({ idea, template, stories, rounds, rejection }) => ({
      role,
      template: escapeUntrusted(template),
      idea: ideaValues(idea).idea,
      stories: storiesValues(stories),
      rounds: roundsValues(rounds).map(({ questions, answers }) => ({
        questions: questions.map(({ id, question }) => ({ id, question })),
        answers,
      })),
      ...rejectionValues(rejection),
    }),
  },
});

export const reviseReqDraft = defineAction<ReviseReqDraftInput, DraftChanges>({
  name: "revise_req_draft",
  role: "collector",
  kind: "draft_changes",
  summary: "Names the lines of the draft that change after a check; code puts them into the draft.",
  prompt: reviseReqDraftPrompt,
  output: draftChangesSchema,
  variables: ({ idea, stakeholders, rounds, draft, findings }) => ({
    role,
    ...ideaValues(idea),
    ...givenStakeholdersValues(stakeholders),
    rounds: roundsValues(rounds),
    draft_lines: numberedLines(escapeUntrusted(draft)),
    findings: smellsValues(findings),
  }),
  check: ({ changes }, { draft }) => changeErrors(draft, changes),
  outcomes: ["ok"],
  mock: (input, _outcome, feedback) => mockRevision(input, feedback),
});
