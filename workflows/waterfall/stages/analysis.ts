import type { Artifact } from "#workflow-kit/artifact";
import type { ClarificationReply } from "#workflow-kit/questions";
import { askClarifications, optimizeRequirement, transformRequirement, verifyRequirement } from "../actions";
import type { LogEntry, Questions, Refined, UserLog } from "../artifacts";
import { describeError, readRequirement } from "../rules/gherkin";
import { requirementOf } from "../rules/requirement";
import type { OptimizeRequirementInput, TransformRequirementInput } from "../inputs";
import { atLimit, VERIFIED, type Ending, type PlanningInput, type Context } from "../context";
import { agentsFor } from "./agents";

/** Action and role of a person's artifacts, as in the other workflows. */
const BY_HUMAN = { action: "human_interaction", role: "human" };

/** The request as the first version of the log. */
function keepInput(context: Context): Promise<Artifact<UserLog>> {
  const { requirement, context: background = null } = context.input;
  const log: UserLog = { requirement, context: background, entries: [], comment: null };
  return context.publish("user_log", log, BY_HUMAN);
}

/** The planning input when requirement analysis is skipped: the request itself. */
export async function receive(context: Context): Promise<PlanningInput> {
  const log = await keepInput(context);
  const refined = await keepRequest(context, log);
  return { log, requirement: refined, gherkin: null, agents: await agentsFor(context, log, refined) };
}

/**
 * Requirement analysis (WaAgents, 3.1): unclear points are asked, the request is refined and written as Gherkin, until parser and verifier
 * accept it.
 */
export async function analyse(context: Context): Promise<PlanningInput & Ending> {
  const request = await keepInput(context);
  const { log, refined } = await clarify(context, request);
  const specified = await specify(context, log, refined);
  return { log, ...specified, agents: await agentsFor(context, log, specified.requirement) };
}

/**
 * The Clarification Question Expert asks, and a person may answer. When an answer is missing, the Optimization Expert infers it. Otherwise the
 * requirement is the user's own words with their answers, unless the paper's expert, or one whose result a person reviews, is to write it.
 */
async function clarify(
  context: Context,
  request: Artifact<UserLog>,
): Promise<{ log: Artifact<UserLog>; refined: Artifact<Refined> }> {
  const { requirement, context: background } = request.content;
  if (context.options.clarification === "skip") return { log: request, refined: await keepRequest(context, request) };
  const functions = context.options.functions ?? [];
  const questions = await context.perform(askClarifications, { requirement, context: background, functions }, [
    request,
  ]);
  const isClear = questions.content.questions.length === 0;
  const answered = isClear ? request : await answer(context, request, questions);
  const isComplete = answered.content.entries.every((entry) => entry.answer !== null);
  const isRewritten = isClear
    ? context.isPaper && background !== null
    : context.isPaper || context.reviews("refined_requirement");
  if (isComplete && !isRewritten) return { log: answered, refined: await keepRequest(context, answered) };
  const input = { log: answered.content, functions, rejection: null };
  const refined = await context.perform(optimizeRequirement, input, [answered]);
  return { log: await withInferred(context, answered, refined), refined };
}

async function answer(
  context: Context,
  request: Artifact<UserLog>,
  questions: Artifact<Questions>,
): Promise<Artifact<UserLog>> {
  const reply = context.options.clarification === "ask" ? await askPerson(context, questions) : null;
  const answered = reply?.status === "answered" ? reply : null;
  const entries = questions.content.questions.map(({ id, dimension, question }): LogEntry => {
    const given = String(answered?.answers[id] ?? "").trim();
    return { id, dimension, question, answer: given || null, source: given ? "user" : null };
  });
  const log: UserLog = { ...request.content, entries, comment: answered?.comment ?? null };
  const by = answered ? BY_HUMAN : { action: "keep_log", role: "requirement_optimization_expert" };
  return context.publish("user_log", log, { ...by, inputs: [request, questions] });
}

function askPerson(context: Context, questions: Artifact<Questions>): Promise<ClarificationReply> {
  return context.run.ask({
    key: "clarification",
    kind: "clarification",
    prompt:
      "Some of your request can be read in several ways. Please answer what matters to you; the rest is inferred.",
    artifacts: [questions],
    questions: questions.content.questions.map(({ id, question, dimension }) => ({
      id,
      text: question,
      type: "text",
      required: false,
      dimension,
    })),
  });
}

/** The log with the answers that the Optimization Expert inferred, marked as inferred. */
async function withInferred(
  context: Context,
  log: Artifact<UserLog>,
  refined: Artifact<Refined>,
): Promise<Artifact<UserLog>> {
  const inferred = new Map(refined.content.inferred_answers.map(({ question, answer: text }) => [question, text]));
  const entries = log.content.entries.map((entry): LogEntry => {
    const text = entry.answer === null ? inferred.get(entry.id) : undefined;
    return text === undefined ? entry : { ...entry, answer: text, source: "inferred" };
  });
  if (entries.every((entry, index) => entry === log.content.entries[index])) return log;
  const by = { action: "keep_log", role: "requirement_optimization_expert", inputs: [log, refined] };
  return context.publish("user_log", { ...log.content, entries }, by);
}

/** The user's own words, and their answers, as the refined requirement. */
const keepRequest = (context: Context, log: Artifact<UserLog>): Promise<Artifact<Refined>> =>
  context.publish(
    "refined_requirement",
    { inferred_answers: [], refined_requirement: requirementOf(log.content) },
    { action: "keep_request", role: "requirement_optimization_expert", inputs: [log] },
  );

interface Specified extends Ending {
  requirement: Artifact<Refined>;
  /** null when the parser rejected every version. */
  gherkin: Artifact<string> | null;
}

/** Writes Gherkin until it is accepted. Syntax errors go back to the writer before the verifier is asked. */
async function specify(context: Context, log: Artifact<UserLog>, refined: Artifact<Refined>): Promise<Specified> {
  const { max_requirement_revisions, on_gherkin_rejected } = context.options;
  const { context: background } = log.content;
  let requirement = refined;
  /** The last version that the parser understands. */
  let parsed: Artifact<string> | null = null;
  let objection: Pick<TransformRequirementInput, "invalid" | "rejection"> = { invalid: null, rejection: null };
  for (let revision = 0; ; revision++) {
    const text = requirement.content.refined_requirement;
    const gherkin = await context.perform(
      transformRequirement,
      { requirement: text, context: background, ...objection },
      [requirement],
    );
    const errors = await parseOrErrors(context, gherkin);
    if (!errors) parsed = gherkin;
    const reason = errors ? errors.join(" ") : await reasonForRejection(context, log, requirement, gherkin);
    if (reason === null) return { requirement, gherkin, ...VERIFIED };
    if (revision === max_requirement_revisions) {
      const ending = atLimit(context, { because: "max_requirement_revisions", reason }, "gherkin");
      return { requirement, gherkin: ending.stop ? gherkin : parsed, ...ending };
    }
    objection = { invalid: null, rejection: null };
    if (errors) objection.invalid = { text: gherkin.content, errors };
    else if (on_gherkin_rejected === "transform") objection.rejection = { gherkin: gherkin.content, reason };
    else {
      const rejection: OptimizeRequirementInput["rejection"] = { requirement: text, gherkin: gherkin.content, reason };
      const input = { log: log.content, functions: context.options.functions ?? [], rejection };
      requirement = await context.perform(optimizeRequirement, input, [log, requirement, gherkin]);
    }
  }
}

/** Parses Gherkin: records the syntax tree and returns null, or returns the errors. */
async function parseOrErrors(context: Context, gherkin: Artifact<string>): Promise<string[] | null> {
  const parsed = readRequirement(gherkin.content);
  if (!parsed.ok) return parsed.errors.map(describeError);
  const by = { action: "parse_gherkin", role: "requirement_transformation_expert", inputs: [gherkin] };
  await context.publish("gherkin_ast", parsed.ast, by);
  return null;
}

async function reasonForRejection(
  context: Context,
  log: Artifact<UserLog>,
  requirement: Artifact<Refined>,
  gherkin: Artifact<string>,
): Promise<string | null> {
  if (!context.options.verify_requirement && !context.reviews("requirement_verdict")) return null;
  const input = {
    log: log.content,
    requirement: requirement.content.refined_requirement,
    gherkin: gherkin.content,
  };
  const { content } = await context.perform(verifyRequirement, input, [log, requirement, gherkin]);
  return content.accepted ? null : (content.reason ?? "no reason was given");
}
