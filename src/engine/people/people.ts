import type { Action, Feedback } from "#workflow-kit/action";
import { commitOnce } from "../durable/steps";
import type { Artifact } from "#workflow-kit/artifact";
import { RunFailedError, StaleEpochError, SuspendSignal } from "../instance/signals";
import { notify } from "../instance/instance";
import type { Maker } from "../durable/artifacts";
import { durationMs } from "#core/duration";
import { errorsOf } from "../calls/output-format";
import { clarificationSchema, consultationSchema, feedbackSchema, withHidden } from "./answer-schemas";
import { isReusable, type StageExecution } from "../durable/stage-execution";
import { newId } from "#core/ids";
import type { NewInteraction } from "#store/interactions";
import type { InteractionRow } from "#store/rows";
import { ReviewRejectedError } from "#workflow-kit/rejected";
import type {
  Clarification,
  ClarificationReply,
  Consultation,
  ConsultationReply,
  FeedbackAnswer,
} from "#workflow-kit/questions";
import type { StepOptions } from "#workflow-kit/run";

/** Name of the action behind a person's artifact: the paper's start action "can provide human feedback" (MARE, II-D). */
const HUMAN_ACTION = "human_interaction";

/** The part of an interaction that a person sees. */
type InteractionContent = Pick<NewInteraction, "kind" | "prompt" | "questions" | "answer_schema">;

/** An action whose artifact a person reviews. */
interface ReviewedAction<Input, Output> {
  action: Action<Input, Output>;
  input: Input;
  options: StepOptions;
  /** Performs the action again, as a step of the given name. */
  perform(step: string, feedback: Feedback<Output>): Promise<Artifact<Output>>;
}

/** A person's artifact about another one. */
interface HumanContribution<T> {
  by: Pick<Maker, "kind" | "media_type">;
  content: T;
  about: Artifact;
  options: StepOptions;
}

const reviewPrompt = ({ kind }: Action, errors: readonly string[]): string =>
  [
    `Please read the ${kind.replaceAll("_", " ")}. Then approve, edit or reject, or say what to change.`,
    ...(errors.length ? [`The previous edit could not be used: ${errors.join(" ")}`] : []),
  ].join(" ");

/** Asks a person, and waits for the answer or the expiry. @throws as `interact` */
export async function ask(
  stage: StageExecution,
  question: Clarification | Consultation<unknown>,
): Promise<ClarificationReply | ConsultationReply<unknown>> {
  const { key, kind, prompt, artifacts } = question;
  const questions = kind === "clarification" ? question.questions : [];
  const answer_schema = kind === "clarification" ? clarificationSchema(questions) : consultationSchema(question);
  const row = await interact(stage, `ask#${key}`, { kind, prompt, questions, answer_schema }, artifacts ?? []);
  if (row.status === "expired") return { status: "expired" };
  const reply = { status: "answered", answered_by: row.answered_by } as const;
  const { comment = null, ...answer } = JSON.parse(row.answer!);
  if (kind === "clarification") return { ...reply, answers: answer.answers, comment };
  const additions = question.additions.parse(answer.additions ?? {});
  return { ...reply, decision: answer.decision, additions, comment };
}

/**
 * A review step: a person approves, edits or rejects the artifact, or asks for a revision, any number of times.
 * @throws ReviewRejectedError
 */
export async function review<Input, Output>(
  stage: StageExecution,
  first: Artifact<Output>,
  { action, input, options, perform }: ReviewedAction<Input, Output>,
): Promise<Artifact<Output>> {
  let artifact = first;
  let errors: string[] = [];
  for (let round = 1; ; round++) {
    const name = `${first.step.slice(stage.key.stage.length + 1)}~review${round}`;
    const row = await interact(
      stage,
      name,
      {
        kind: "feedback",
        prompt: reviewPrompt(action, errors),
        questions: [],
        answer_schema: feedbackSchema(action),
      },
      [artifact],
    );
    if (row.status === "expired") return artifact;
    const { edited_content, ...answer } = JSON.parse(row.answer!) as FeedbackAnswer;
    const edited = edited_content === undefined ? undefined : withHidden(action, edited_content, artifact.content);
    errors = edited === undefined ? [] : errorsOf(action, input, edited);
    if (errors.length) continue; // the next question names the errors of the edit
    const by = { kind: "human_feedback" };
    const content = { ...answer, artifact_id: artifact.id };
    await humanArtifact(stage, `${name}/feedback`, { by, content, about: artifact, options });
    if (edited !== undefined) {
      const edit = { by: action, content: edited as Output, about: artifact, options };
      artifact = await humanArtifact(stage, `${name}/edit`, edit);
    }
    if (answer.decision === "approve") return artifact;
    if (answer.decision === "reject") throw new ReviewRejectedError(artifact);
    const feedback = { comment: answer.comment ?? "", previous: artifact.content };
    artifact = await perform(`${first.step}~revision${round}`, feedback);
  }
}

function humanArtifact<T>(
  stage: StageExecution,
  name: string,
  { by, content, about, options }: HumanContribution<T>,
): Promise<Artifact<T>> {
  const step = `${stage.key.stage}/${name}`;
  const { kind, media_type } = by;
  const maker = { name: HUMAN_ACTION, kind, role: "human", media_type, send_to: about.send_to };
  return commitOnce<T>(stage, step, maker, { ...options, sentFrom: "human", inputs: [about] }, () => ({ content }));
}

/** Opens an interaction, or finds the stored one. @throws SuspendSignal while it is open, StaleEpochError, RunFailedError `interaction_unanswered` */
async function interact(
  stage: StageExecution,
  name: string,
  content: InteractionContent,
  artifacts: readonly Artifact[],
): Promise<InteractionRow> {
  const step = `${stage.key.stage}/${name}`;
  const stored = stage.interactions.get(step);
  const row =
    stored && (isReusable(stored) || stored.epoch === stage.instance.epoch)
      ? stored
      : await open(stage, step, content, artifacts);
  if (row.status === "open") throw new SuspendSignal({ why: "waiting", interactions: [row.id] });
  if (row.status === "canceled") throw new StaleEpochError();
  if (row.status === "expired" && row.on_expiry === "fail") {
    throw new RunFailedError(
      "interaction_unanswered",
      `The question ${row.id} expired at ${new Date(row.expires_at).toISOString()} and on_expiry is "fail".`,
    );
  }
  return row;
}

async function open(
  stage: StageExecution,
  step: string,
  content: InteractionContent,
  artifacts: readonly Artifact[],
): Promise<InteractionRow> {
  await stage.writes.drain();
  stage.assertMayContinue();
  const { run_id, epoch, spec, deps } = stage.instance;
  const { interaction_timeout, on_expiry } = spec.options;
  const row = await deps.store.interactions.open(run_id, epoch, {
    id: newId("int"),
    step,
    stage: stage.key.stage,
    generation: stage.key.generation,
    ...content,
    artifacts: artifacts.map((artifact) => artifact.id),
    on_expiry,
    expires_at: Date.now() + durationMs(interaction_timeout),
  });
  if (!row) throw new StaleEpochError();
  await deps.startNext(spec.tenant);
  notify(stage.instance, stage.followed, "run.input_required");
  return row;
}
