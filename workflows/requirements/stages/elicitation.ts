import type { Artifact } from "#workflow-kit/artifact";
import {
  answerQuestion,
  deriveAcceptanceCriteria,
  proposeQuestion,
  reviseReqDraft,
  speakUserStories,
  writeReqDraft,
} from "../actions";
import type { Questions } from "../artifacts";
import { stakeholdersOf } from "../contract";
import {
  answerQuestionInput,
  deriveAcceptanceCriteriaInput,
  PERSON,
  proposeQuestionInput,
  isForOne,
  questionsFor,
  reviseReqDraftInput,
  speakUserStoriesInput,
  STOOD_IN,
  writeReqDraftInput,
} from "../inputs";
import type { Context } from "../context";
import { applyChanges } from "../rules/draft-lines";
import { Workspace, type RoleInbox } from "../rules/workspace";

/**
 * Elicitation (MARE, II-B): from the rough idea to the first draft. The Checker derives the acceptance criteria while the stakeholders tell
 * their stories, so that the Collector knows the criteria when it writes the draft.
 * @returns the artifacts that later stages read
 */
export async function elicit(context: Context): Promise<Artifact[]> {
  const { run, input, options } = context;
  let workspace = new Workspace([await publishIdea(context)]);
  if (input.draft) return startFromDraft(context, workspace, input.draft);
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

/** The draft of the request takes the place of stories and interview. */
async function startFromDraft(context: Context, workspace: Workspace, text: string): Promise<Artifact[]> {
  const criteria = await acceptanceCriteria(context, workspace);
  const given = { action: "provide_draft", role: PERSON, inputs: [] };
  const draft = await context.publish("requirement_draft", text, given);
  return [...workspace.newest(["rough_idea"]), criteria, draft];
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

/** The Collector improves the draft by the findings; with `reinterview` it asks one more round of questions first. */
export async function improveDraft(context: Context, workspace: Workspace, iteration: number): Promise<Artifact[]> {
  const answered = context.options.reinterview
    ? await interview(context, workspace, `review_${iteration}`, iteration)
    : [];
  const known = workspace.with(...answered);
  return [...answered, await (writesWholeDrafts(context) ? writeDraft(context, known) : reviseDraft(context, known))];
}

/** The paper's Collector writes the draft anew; and a person who reviews drafts reads whole ones. */
const writesWholeDrafts = ({ options }: Context): boolean =>
  options.profile === "paper" || options.reviews.includes("requirement_draft");

/** The Collector names the lines that change; the others stay as they are. */
async function reviseDraft(context: Context, workspace: Workspace): Promise<Artifact> {
  const [draft] = workspace.newest(["requirement_draft"]) as [Artifact<string>];
  const read = (inbox: RoleInbox) => reviseReqDraftInput(inbox, context.input.stakeholders ?? []);
  if (read(workspace.inbox(reviseReqDraft)).findings.length === 0) return draft;
  const revised = await context.perform(workspace, reviseReqDraft, read);
  const text = applyChanges(draft.content, revised.content.changes);
  const by = { action: "apply_changes", role: "collector", inputs: [draft, revised] };
  return context.publish("requirement_draft", text, by);
}

function publishIdea(context: Context): Promise<Artifact> {
  const { idea, title = null, background = null } = context.input;
  return context.publish("rough_idea", { idea, title, background }, { action: "human_interaction", role: "human" });
}

function acceptanceCriteria(context: Context, workspace: Workspace): Promise<Artifact> {
  const { input, options } = context;
  const criteria = options.acceptance_criteria;
  if (criteria)
    return context.publish("acceptance_criteria", { criteria }, { action: "human_interaction", role: "human" });
  return context.perform(workspace, deriveAcceptanceCriteria, (inbox) =>
    deriveAcceptanceCriteriaInput(inbox, stakeholdersOf(input), options),
  );
}

/** One task for each stakeholder: it tells its stories. */
const storyTasks = (context: Context, workspace: Workspace) =>
  stakeholdersOf(context.input).map(
    (stakeholder, index) => (): Promise<Artifact> =>
      context.perform(
        workspace,
        speakUserStories,
        (inbox) => speakUserStoriesInput(inbox, stakeholder, context.options),
        {
          key: stakeholder.name,
          subject: stakeholder.name,
          sentFrom: stakeholder.name,
          member: index + 1,
        },
      ),
  );

const writeDraft = (context: Context, workspace: Workspace): Promise<Artifact> =>
  context.perform(workspace, writeReqDraft, (inbox) =>
    writeReqDraftInput(inbox, context.input.stakeholders ?? [], context.options),
  );

/**
 * One round of the interview: the Collector asks; a person answers, or every addressed stakeholder.
 * @returns the questions and their answers
 */
async function interview(context: Context, workspace: Workspace, subject: string, round: number): Promise<Artifact[]> {
  const { input, options } = context;
  const question = await context.perform(
    workspace,
    proposeQuestion,
    (inbox) => proposeQuestionInput(inbox, stakeholdersOf(input), round, options),
    { key: subject, subject },
  );
  const answer = options.human_stakeholder && (await humanAnswer(context, question, subject));
  if (answer) return [question, answer];
  const remark = options.human_stakeholder ? STOOD_IN : "";
  return [question, ...(await simulatedAnswers(context, workspace, question, subject, remark))];
}

/** @param remark suffix of the senders' names, which marks the origin of the answers in artifacts and draft */
function simulatedAnswers(
  context: Context,
  workspace: Workspace,
  question: Artifact<Questions>,
  subject: string,
  remark: string,
): Promise<Artifact[]> {
  const stakeholders = stakeholdersOf(context.input);
  const addressed = stakeholders
    .map((stakeholder, index) => ({ stakeholder, member: index + 1 }))
    .filter(({ stakeholder }) => questionsFor(stakeholder, question.content, stakeholders).length > 0);
  return context.run.parallel(addressed, ({ stakeholder, member }) =>
    context.perform(
      workspace.with(question),
      answerQuestion,
      (inbox) => answerQuestionInput(inbox, subject, stakeholder, stakeholders),
      {
        key: `${subject}.${stakeholder.name}`,
        subject: `${subject}/${stakeholder.name}`,
        sentFrom: stakeholder.name + remark,
        member,
      },
    ),
  );
}

/** The answer to a question that a person did not answer. */
const LEFT_OPEN = "(left open)";

/** Asks a person; null when the questions expired. */
async function humanAnswer(context: Context, question: Artifact<Questions>, subject: string): Promise<Artifact | null> {
  const { questions } = question.content;
  const reply = await context.run.ask({
    key: subject,
    kind: "clarification",
    prompt:
      "The requirements collector asks about the system to be developed. Please answer as its stakeholders would; what you leave open becomes an open question of the requirements.",
    artifacts: [question],
    questions: questions.map(({ id, topic, to, question: text }) => ({
      id,
      text: isForOne(to, stakeholdersOf(context.input)) ? `To ${to}: ${text}` : text,
      type: "text",
      required: false,
      dimension: topic,
    })),
  });
  if (reply.status === "expired") return null;
  const answers = questions.map(({ id }) => ({
    question: id,
    answer: String(reply.answers[id] ?? "").trim() || LEFT_OPEN,
  }));
  if (reply.comment) answers.push({ question: "comment", answer: reply.comment });
  const by = {
    action: answerQuestion.name,
    role: PERSON,
    sentFrom: PERSON,
    key: subject,
    subject: `${subject}/human`,
    inputs: [question],
  };
  return context.publish("stakeholders_answer", { answers }, by);
}
