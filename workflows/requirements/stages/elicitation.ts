import type { Artifact } from "../../../src/engine/artifact";
import { answerQuestion, deriveAcceptanceCriteria, proposeQuestion, speakUserStories, writeReqDraft } from "../actions";
import type { Questions } from "../artifacts";
import { stakeholdersOf } from "../contract";
import {
  answerQuestionInput,
  deriveAcceptanceCriteriaInput,
  proposeQuestionInput,
  speakUserStoriesInput,
  writeReqDraftInput,
} from "../inputs";
import { perform, publish, type Assignment } from "../team";
import { Workspace } from "../workspace";

/**
 * Elicitation (MARE, II-B): from the rough idea to the first draft. Meanwhile the Checker derives the acceptance criteria.
 * @returns what later stages read: the interview's answers are in the draft
 */
export async function elicit(assignment: Assignment): Promise<Artifact[]> {
  const { run, options } = assignment;
  let workspace = new Workspace([await publishIdea(assignment)]);
  const atOnce = [() => acceptanceCriteria(assignment, workspace), ...storytellers(assignment, workspace)];
  workspace = workspace.with(...(await run.parallel(atOnce, (begin) => begin())));
  for (let round = 1; round <= options.qa_rounds; round++) {
    workspace = await interview(assignment, workspace, `round_${round}`, round);
  }
  workspace = workspace.with(await writeDraft(assignment, workspace));
  return workspace.keep([
    "rough_idea",
    "acceptance_criteria",
    "user_stories",
    "requirement_question",
    "requirement_draft",
  ]);
}

/** The Collector improves the draft by the error report; with `reinterview` it asks once more before. */
export async function improveDraft(
  assignment: Assignment,
  workspace: Workspace,
  iteration: number,
): Promise<Artifact[]> {
  let improved = workspace;
  if (assignment.options.reinterview)
    improved = await interview(assignment, improved, `review_${iteration}`, iteration);
  improved = improved.with(await writeDraft(assignment, improved));
  return improved.keep(["requirement_question", "requirement_draft"]);
}

function publishIdea({ run, input }: Assignment): Promise<Artifact> {
  const { idea, title = null, background = null } = input;
  return publish(run, "rough_idea", { idea, title, background }, { action: "human_interaction", role: "human" });
}

function acceptanceCriteria({ run, options }: Assignment, workspace: Workspace): Promise<Artifact> {
  const criteria = options.acceptance_criteria;
  if (criteria)
    return publish(run, "acceptance_criteria", { criteria }, { action: "human_interaction", role: "human" });
  return perform(run, workspace, deriveAcceptanceCriteria, deriveAcceptanceCriteriaInput);
}

const storytellers = ({ run, input, options }: Assignment, workspace: Workspace) =>
  stakeholdersOf(input).map(
    (stakeholder, index) => (): Promise<Artifact> =>
      perform(run, workspace, speakUserStories, (desk) => speakUserStoriesInput(desk, stakeholder, options), {
        key: stakeholder.name,
        subject: stakeholder.name,
        sentFrom: stakeholder.name,
        member: index + 1,
      }),
  );

const writeDraft = ({ run, options }: Assignment, workspace: Workspace): Promise<Artifact> =>
  perform(run, workspace, writeReqDraft, (desk) => writeReqDraftInput(desk, options));

/** One round: the Collector asks; a person answers, or each stakeholder does. */
async function interview(
  assignment: Assignment,
  workspace: Workspace,
  subject: string,
  round: number,
): Promise<Workspace> {
  const { run, options } = assignment;
  const question = await perform(
    run,
    workspace,
    proposeQuestion,
    (desk) => proposeQuestionInput(desk, round, options),
    { key: subject, subject },
  );
  const asked = workspace.with(question);
  if (!options.human_stakeholder) return asked.with(...(await simulatedAnswers(assignment, asked, subject)));
  const answer = await personsAnswer(assignment, question, subject);
  if (answer) return asked.with(answer);
  return asked.with(
    ...(await simulatedAnswers(assignment, asked, subject, " (simulated: no person answered in time)")),
  );
}

/** @param remark added to the senders' names, so that the artifacts and the draft tell how the answers came about */
function simulatedAnswers(
  { run, input }: Assignment,
  workspace: Workspace,
  subject: string,
  remark = "",
): Promise<Artifact[]> {
  return run.parallel(stakeholdersOf(input), (stakeholder, index) =>
    perform(run, workspace, answerQuestion, (desk) => answerQuestionInput(desk, stakeholder), {
      key: `${subject}.${stakeholder.name}`,
      subject: `${subject}/${stakeholder.name}`,
      sentFrom: stakeholder.name + remark,
      member: index + 1,
    }),
  );
}

/** Waits for a person; null when the question expired. */
async function personsAnswer(
  { run }: Assignment,
  question: Artifact<Questions>,
  subject: string,
): Promise<Artifact | null> {
  const { questions } = question.content;
  const reply = await run.ask({
    key: subject,
    kind: "clarification",
    prompt:
      "The requirements collector asks about the system to be developed. Please answer as one of its stakeholders.",
    artifacts: [question],
    questions: questions.map(({ id, topic, question: text }) => ({
      id,
      text,
      type: "text",
      required: true,
      dimension: topic,
    })),
  });
  if (reply.status === "expired") return null;
  const answers = questions.map(({ id }) => ({ question: id, answer: String(reply.answers[id] ?? "") }));
  if (reply.comment) answers.push({ question: "comment", answer: reply.comment });
  const by = {
    action: answerQuestion.name,
    role: "human",
    sentFrom: "human",
    key: subject,
    subject: `${subject}/human`,
    inputs: [question],
  };
  return publish(run, "stakeholders_answer", { answers }, by);
}
