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
  SIMULATED,
  writeReqDraftInput,
} from "../inputs";
import { perform, publish, type RequirementsContext } from "../context";
import { Workspace } from "../rules/workspace";

/**
 * Elicitation (MARE, II-B): from the rough idea to the first draft. The Checker derives the acceptance criteria while the stakeholders tell
 * their stories, so that the Collector knows the criteria when it writes the draft.
 * @returns the artifacts that later stages read
 */
export async function elicit(context: RequirementsContext): Promise<Artifact[]> {
  const { run, options } = context;
  let workspace = new Workspace([await publishIdea(context)]);
  const tasks = [() => acceptanceCriteria(context, workspace), ...storyTasks(context, workspace)];
  workspace = workspace.with(...(await run.parallel(tasks, (task) => task())));
  for (let round = 1; round <= options.qa_rounds; round++) {
    workspace = workspace.with(...(await interview(context, workspace, `round_${round}`, round)));
  }
  workspace = workspace.with(await writeDraft(context, workspace));
  return [
    ...workspace.newest(["rough_idea", "acceptance_criteria", "user_stories", "requirement_question"]),
    ...newestWithin(MAX_ANSWER_BYTES, workspace.newest(["stakeholders_answer"])),
    ...workspace.newest(["requirement_draft"]),
  ];
}

/**
 * Bytes of answers in the stage's result, whose limit is 900 KB. Simulated answers stay below it by the limits of artifacts.ts; a person may
 * write 20,000 characters an answer, and scripts other than Latin need up to three bytes a character.
 */
const MAX_ANSWER_BYTES = 400_000;

/** The newest artifacts whose JSON together has at most `bytes`, in their order. */
export function newestWithin(bytes: number, artifacts: readonly Artifact[]): Artifact[] {
  let remaining = bytes;
  const first = artifacts.findLastIndex((artifact) => {
    remaining -= new TextEncoder().encode(JSON.stringify(artifact)).length;
    return remaining < 0;
  });
  return artifacts.slice(first + 1);
}

/** The Collector improves the draft by the error report; with `reinterview` it asks one more round of questions first. */
export async function improveDraft(
  context: RequirementsContext,
  workspace: Workspace,
  iteration: number,
): Promise<Artifact[]> {
  const answered = context.options.reinterview
    ? await interview(context, workspace, `review_${iteration}`, iteration)
    : [];
  return [...answered, await writeDraft(context, workspace.with(...answered))];
}

function publishIdea({ run, input }: RequirementsContext): Promise<Artifact> {
  const { idea, title = null, background = null } = input;
  return publish(run, "rough_idea", { idea, title, background }, { action: "human_interaction", role: "human" });
}

function acceptanceCriteria({ run, input, options }: RequirementsContext, workspace: Workspace): Promise<Artifact> {
  const criteria = options.acceptance_criteria;
  if (criteria)
    return publish(run, "acceptance_criteria", { criteria }, { action: "human_interaction", role: "human" });
  return perform(run, workspace, deriveAcceptanceCriteria, (inbox) =>
    deriveAcceptanceCriteriaInput(inbox, stakeholdersOf(input)),
  );
}

/** One task for each stakeholder: it tells its stories. */
const storyTasks = ({ run, input, options }: RequirementsContext, workspace: Workspace) =>
  stakeholdersOf(input).map(
    (stakeholder, index) => (): Promise<Artifact> =>
      perform(run, workspace, speakUserStories, (inbox) => speakUserStoriesInput(inbox, stakeholder, options), {
        key: stakeholder.name,
        subject: stakeholder.name,
        sentFrom: stakeholder.name,
        member: index + 1,
      }),
  );

const writeDraft = ({ run, options }: RequirementsContext, workspace: Workspace): Promise<Artifact> =>
  perform(run, workspace, writeReqDraft, (inbox) => writeReqDraftInput(inbox, options));

/**
 * One round of the interview: the Collector asks; a person answers, or every addressed stakeholder.
 * @returns the questions and their answers
 */
async function interview(
  context: RequirementsContext,
  workspace: Workspace,
  subject: string,
  round: number,
): Promise<Artifact[]> {
  const { run, input, options } = context;
  const question = await perform(
    run,
    workspace,
    proposeQuestion,
    (inbox) => proposeQuestionInput(inbox, stakeholdersOf(input), round, options),
    { key: subject, subject },
  );
  const answer = options.human_stakeholder && (await humanAnswer(context, question, subject));
  if (answer) return [question, answer];
  const remark = options.human_stakeholder ? SIMULATED : "";
  return [question, ...(await simulatedAnswers(context, workspace, question, subject, remark))];
}

/** @param remark suffix of the senders' names, which marks the origin of the answers in artifacts and draft */
function simulatedAnswers(
  { run, input }: RequirementsContext,
  workspace: Workspace,
  question: Artifact<Questions>,
  subject: string,
  remark: string,
): Promise<Artifact[]> {
  const stakeholders = stakeholdersOf(input);
  const addressed = stakeholders
    .map((stakeholder, index) => ({ stakeholder, member: index + 1 }))
    .filter(({ stakeholder }) => questionsFor(stakeholder, question.content, stakeholders).length > 0);
  return run.parallel(addressed, ({ stakeholder, member }) =>
    perform(
      run,
      workspace.with(question),
      answerQuestion,
      (inbox) => answerQuestionInput(inbox, stakeholder, stakeholders),
      {
        key: `${subject}.${stakeholder.name}`,
        subject: `${subject}/${stakeholder.name}`,
        sentFrom: stakeholder.name + remark,
        member,
      },
    ),
  );
}

/** Asks a person; null when the questions expired. */
async function humanAnswer(
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
