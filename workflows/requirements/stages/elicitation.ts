import type { Artifact } from "#workflow-kit/artifact";
import { answerQuestion, deriveAcceptanceCriteria, proposeQuestion, speakUserStories, writeReqDraft } from "../actions";
import type { Questions } from "../artifacts";
import { stakeholdersOf } from "../contract";
import {
  answerQuestionInput,
  deriveAcceptanceCriteriaInput,
  proposeQuestionInput,
  questionsFor,
  speakUserStoriesInput,
  STOOD_IN,
  writeReqDraftInput,
} from "../inputs";
import { perform, publish, type RequirementsContext } from "../context";
import { Workspace } from "../rules/workspace";

/**
 * Elicitation (MARE, II-B): from the rough idea to the first draft. While the stories are told the Checker derives the acceptance
 * criteria: both are there before the interview begins, and the draft is written to meet them.
 * @returns what later stages read
 */
export async function elicit(assignment: RequirementsContext): Promise<Artifact[]> {
  const { run, options } = assignment;
  let workspace = new Workspace([await publishIdea(assignment)]);
  const atOnce = [() => acceptanceCriteria(assignment, workspace), ...storytellers(assignment, workspace)];
  workspace = workspace.with(...(await run.parallel(atOnce, (begin) => begin())));
  for (let round = 1; round <= options.qa_rounds; round++) {
    workspace = workspace.with(...(await interview(assignment, workspace, `round_${round}`, round)));
  }
  workspace = workspace.with(await writeDraft(assignment, workspace));
  return [
    ...workspace.keep(["rough_idea", "acceptance_criteria", "user_stories", "requirement_question"]),
    ...newestWithin(MOST_ANSWERS, workspace.keep(["stakeholders_answer"])),
    ...workspace.keep(["requirement_draft"]),
  ];
}

/**
 * Bytes of answers that are handed on, out of the 900 KB of a stage's result. The bounds in artifacts.ts keep simulated answers
 * below; a person may write 20,000 characters an answer, and scripts other than Latin take up to three bytes a character.
 */
const MOST_ANSWERS = 400_000;

/** The newest of some artifacts whose JSON comes to at most `bytes`, in their order. */
export function newestWithin(bytes: number, artifacts: readonly Artifact[]): Artifact[] {
  let left = bytes;
  const first = artifacts.findLastIndex((artifact) => {
    left -= new TextEncoder().encode(JSON.stringify(artifact)).length;
    return left < 0;
  });
  return artifacts.slice(first + 1);
}

/** The Collector improves the draft by the error report; with `reinterview` it asks once more before. */
export async function improveDraft(
  assignment: RequirementsContext,
  workspace: Workspace,
  iteration: number,
): Promise<Artifact[]> {
  const asked = assignment.options.reinterview
    ? await interview(assignment, workspace, `review_${iteration}`, iteration)
    : [];
  return [...asked, await writeDraft(assignment, workspace.with(...asked))];
}

function publishIdea({ run, input }: RequirementsContext): Promise<Artifact> {
  const { idea, title = null, background = null } = input;
  return publish(run, "rough_idea", { idea, title, background }, { action: "human_interaction", role: "human" });
}

function acceptanceCriteria({ run, input, options }: RequirementsContext, workspace: Workspace): Promise<Artifact> {
  const criteria = options.acceptance_criteria;
  if (criteria)
    return publish(run, "acceptance_criteria", { criteria }, { action: "human_interaction", role: "human" });
  return perform(run, workspace, deriveAcceptanceCriteria, (desk) =>
    deriveAcceptanceCriteriaInput(desk, stakeholdersOf(input)),
  );
}

const storytellers = ({ run, input, options }: RequirementsContext, workspace: Workspace) =>
  stakeholdersOf(input).map(
    (stakeholder, index) => (): Promise<Artifact> =>
      perform(run, workspace, speakUserStories, (desk) => speakUserStoriesInput(desk, stakeholder, options), {
        key: stakeholder.name,
        subject: stakeholder.name,
        sentFrom: stakeholder.name,
        member: index + 1,
      }),
  );

const writeDraft = ({ run, options }: RequirementsContext, workspace: Workspace): Promise<Artifact> =>
  perform(run, workspace, writeReqDraft, (desk) => writeReqDraftInput(desk, options));

/**
 * One round: the Collector asks; a person answers, or each stakeholder who is asked.
 * @returns the question and its answers
 */
async function interview(
  assignment: RequirementsContext,
  workspace: Workspace,
  subject: string,
  round: number,
): Promise<Artifact[]> {
  const { run, input, options } = assignment;
  const question = await perform(
    run,
    workspace,
    proposeQuestion,
    (desk) => proposeQuestionInput(desk, stakeholdersOf(input), round, options),
    { key: subject, subject },
  );
  const answer = options.human_stakeholder && (await personsAnswer(assignment, question, subject));
  if (answer) return [question, answer];
  const remark = options.human_stakeholder ? STOOD_IN : "";
  return [question, ...(await simulatedAnswers(assignment, workspace, question, subject, remark))];
}

/** @param remark added to the senders' names, so that the artifacts and the draft tell how the answers came about */
function simulatedAnswers(
  { run, input }: RequirementsContext,
  workspace: Workspace,
  question: Artifact<Questions>,
  subject: string,
  remark: string,
): Promise<Artifact[]> {
  const everybody = stakeholdersOf(input);
  const asked = everybody
    .map((stakeholder, index) => ({ stakeholder, member: index + 1 }))
    .filter(({ stakeholder }) => questionsFor(stakeholder, question.content, everybody).length > 0);
  return run.parallel(asked, ({ stakeholder, member }) =>
    perform(
      run,
      workspace.with(question),
      answerQuestion,
      (desk) => answerQuestionInput(desk, stakeholder, everybody),
      {
        key: `${subject}.${stakeholder.name}`,
        subject: `${subject}/${stakeholder.name}`,
        sentFrom: stakeholder.name + remark,
        member,
      },
    ),
  );
}

/** Waits for a person; null when the question expired. */
async function personsAnswer(
  { run }: RequirementsContext,
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
