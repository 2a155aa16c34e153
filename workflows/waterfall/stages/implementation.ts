import type { AgentProfile } from "#workflow-kit/agents";
import type { Artifact, DocumentReference } from "#workflow-kit/artifact";
import type { AgentCall, AgentOutcome, AgentResult, CallTarget, ExecutionLog, LogLine } from "#workflow-kit/programs";
import { reference } from "#workflow-kit/run";
import { clip } from "#workflow-kit/text";
import { answerDirectly, answerWithCalls, callAgent, generateCode, verifyResponse } from "../actions";
import type { DirectAnswer, Plan, Response } from "../artifacts";
import { briefOf, type PlanningInput, type Context } from "../context";
import type { Evidence, GenerateCodeInput, Given } from "../inputs";
import { callsOfDirectAnswer, NoAnswerError, responseOf } from "../rules/answer";
import { boundedCalls } from "../rules/evidence";
import type { Failure } from "../rules/program";
import { agentsForProgram, findAgent, nearestNames } from "../rules/registry";
import { answeringProgram, improvingProgram, revisingProgram } from "../rules/wrapper";
import { agentAlone } from "./design";

/** Lines at the end of a program's log that the Analyst sees. */
const LINES_OF_EVIDENCE = 60;
const CHARACTERS_OF_LINE = 500;

/** The form in which an agent refuses a task (prompts/waterfall/call_agent.md). */
const CANNOT = /^\W*CANNOT:[\s*]*(.*)/s;

/** A draft and what its verifier says of it, for the agent that writes it again. */
export interface Revision {
  draft: string;
  objection: string | null;
  suggestions: readonly string[];
}

/** A program, and how it is run. */
export interface Program {
  code: Artifact<string>;
  /** The agent that does everything, whose text is the response word for word; null for programs of a model or a person. */
  author: string | null;
  revision: Revision | null;
}

/** The result of one execution. */
export type Execution =
  | {
      ok: true;
      response: Artifact<Response>;
      /** The answer as a document. */
      answer: DocumentReference | null;
      /** The agent that wrote the response word for word; null when a program put it together. */
      author: string | null;
      /** The verifier's objection; null when it accepts. */
      rejected: string | null;
      improvements: readonly string[];
    }
  | { ok: false; evidence: Evidence };

/** Code generation (WaAgents, 3.3). Without a design the program is written from the requirement alone, and may use all agents. */
export async function writeProgram(
  context: Context,
  planning: PlanningInput,
  { plan, pseudocode }: { plan: Artifact<Plan> | null; pseudocode: Artifact<string> | null },
  revision: GenerateCodeInput["revision"],
): Promise<Program> {
  const alone = pseudocode || revision ? null : agentAlone(context, planning, plan);
  if (alone) {
    const source = answeringProgram(alone.name, (context.options.functions ?? []).length > 0);
    return { code: await publishProgram(context, source, [plan]), author: alone.name, revision: null };
  }
  const input = {
    brief: briefOf(context, planning),
    agents: context.isPaper
      ? planning.agents
      : agentsForProgram(planning.agents, plan?.content ?? null, pseudocode?.content ?? null),
    pseudocode: pseudocode?.content ?? null,
    revision,
  };
  const code = await context.perform(generateCode, input, [planning.requirement, planning.gherkin, pseudocode]);
  return { code, author: null, revision: null };
}

/** A program by which the author of a response writes it again, or betters passages of an accepted one. Calls of functions are written again whole. */
export async function writeRevision(context: Context, author: string, revision: Revision): Promise<Program> {
  const withFunctions = (context.options.functions ?? []).length > 0;
  const improves = revision.objection === null && !withFunctions;
  const source = improves ? improvingProgram(author) : revisingProgram(author, withFunctions);
  return { code: await publishProgram(context, source, []), author, revision };
}

/** A response as its author reads it again. */
export const draftOf = ({ answer, calls }: Response): string =>
  calls ? JSON.stringify({ answer, calls }, null, 1) : answer;

const publishProgram = (
  context: Context,
  source: string,
  inputs: readonly (Artifact | null)[],
): Promise<Artifact<string>> =>
  context.publish("code", source, {
    action: "write_program",
    role: "code_generation_expert",
    mediaType: "text/javascript",
    inputs,
  });

/** @param verify false: the response is not judged, because it only improves one that was accepted */
export interface ExecutionOptions {
  number: number;
  plan: Artifact<Plan> | null;
  verify: boolean;
}

/** Runs a program. The Response Verification Expert judges the answer that it returns. */
export async function execute(
  context: Context,
  planning: PlanningInput,
  program: Program,
  { number, plan, verify }: ExecutionOptions,
): Promise<Execution> {
  const functions = context.options.functions ?? [];
  const { refined_requirement: requirement } = planning.requirement.content;
  const given: Given = { requirement, context: planning.log.content.context, functions };
  const { code, revision } = program;
  const log = await context.run.programs.execute({
    key: String(number),
    iteration: number,
    source: code.content,
    given: { ...given, ...(revision ? { revision } : {}) },
    inputs: [code],
    assign: (call) => assignAgent(planning.agents, given, call, program.author !== null),
  });
  const mustCall = plan !== null && code.role !== "human";
  const read = readResult(log.content, functions, mustCall);
  if (!read.ok) return { ok: false, evidence: evidenceOf(log.content, read.failure) };
  const response = await context.publish("response", read.response, {
    action: "read_result",
    role: "sandbox",
    inputs: [log],
  });
  const document = await publishAnswer(context, response, "sandbox");
  const author = program.author ?? (await authorOf(context, log.content, read.response));
  const answered = { ok: true as const, response, answer: reference(document), author };
  if (!verify) return { ...answered, rejected: null, improvements: [] };
  const input = {
    log: planning.log.content,
    // One agent got the whole request: the Gherkin would say the same once more.
    brief: { ...briefOf(context, planning), ...(program.author === null ? {} : { gherkin: null }) },
    response: read.response,
    strict: context.options.strict_response,
  };
  const { content } = await context.perform(verifyResponse, input, [planning.requirement, planning.gherkin, response]);
  return {
    ...answered,
    rejected: content.accepted ? null : (content.reason ?? "no reason was given"),
    improvements: content.improvements ?? [],
  };
}

const publishAnswer = (context: Context, response: Artifact<Response>, role: string): Promise<Artifact<string>> =>
  context.publish("answer", response.content.answer, {
    action: "write_answer",
    role,
    mediaType: "text/markdown",
    inputs: [response],
  });

/** The agent whose last result is the response word for word. Structure and calls of functions have no author. */
async function authorOf(context: Context, log: ExecutionLog, response: Response): Promise<string | null> {
  const last = log.agent_calls.findLast(({ ok }) => ok);
  if (!last || !context.options.improve_response || !isText(response)) return null;
  const [result] = await context.run.read<AgentResult>([{ artifact_id: last.artifact_id, kind: "agent_result" }]);
  const { agent, value } = result!.content;
  return typeof value === "string" && value.trim() === response.answer ? agent : null;
}

/** Whether a response is a text; structure and calls of functions are not. */
const isText = ({ answer_json, calls }: Response): boolean => answer_json === undefined && calls === null;

/** The baseline: one model answers in a plain call, without experts, agents and program. */
export async function answerAlone(context: Context): Promise<Pick<Execution & { ok: true }, "response" | "answer">> {
  const { requirement, context: background = null } = context.input;
  const functions = context.options.functions ?? [];
  const input = { requirement, context: background, functions };
  const direct: Artifact<string | DirectAnswer> = functions.length
    ? await context.perform(answerWithCalls, input, [])
    : await context.perform(answerDirectly, input, []);
  const { content } = direct;
  const response: Response =
    typeof content === "string"
      ? responseOf(content, [])
      : { answer: content.answer, answer_json: undefined, calls: callsOfDirectAnswer(content, functions).calls };
  const by = { action: "read_result", role: "agent", inputs: [direct] };
  const published = await context.publish("response", response, by);
  return { response: published, answer: reference(await publishAnswer(context, published, "agent")) };
}

/** @param isVerbatim the answer is for the user, so JSON in it stays a text */
function assignAgent(
  agents: readonly AgentProfile[],
  given: Given,
  { agent: name, task, input }: AgentCall,
  isVerbatim: boolean,
): CallTarget {
  const agent = findAgent(agents, name);
  if (!agent) {
    return {
      refused: `There is no agent "${clip(name, 100)}". Nearest are: ${nearestNames(agents, name).join(", ")}.`,
    };
  }
  return {
    agent,
    action: callAgent,
    input: { agent, task, input, given },
    read: (text) => parseAgentAnswer(agent.name, text, isVerbatim),
  };
}

/** An agent's answer for the program: JSON objects and arrays are parsed unless the text is wanted verbatim, everything else is text. */
export function parseAgentAnswer(agent: string, text: string, isVerbatim = false): AgentOutcome {
  const refusal = CANNOT.exec(text);
  if (refusal) return { ok: false, value: `${agent} cannot do this: ${refusal[1]!.trim() || "no reason was given"}` };
  if (!isVerbatim && /^\s*[[{]/.test(text)) {
    try {
      return { ok: true, value: JSON.parse(text) };
    } catch {
      // It is not JSON, and stays a text.
    }
  }
  return { ok: true, value: text };
}

function readResult(
  log: ExecutionLog,
  functions: Parameters<typeof responseOf>[1],
  mustCall: boolean,
): { ok: true; response: Response } | { ok: false; failure: Failure } {
  if (log.status === "failed") return { ok: false, failure: log.error };
  try {
    if (mustCall && log.calls === 0)
      throw new NoAnswerError("main called no agent: every answer comes from the agents of the plan.");
    return { ok: true, response: responseOf(log.value, functions) };
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error;
    const { name, message } = error;
    return { ok: false, failure: { kind: "no_answer", name, message, line: null, column: null, stack: "" } };
  }
}

const evidenceOf = ({ log, agent_calls }: ExecutionLog, failure: Failure): Evidence => ({
  failure,
  log: log
    .slice(-LINES_OF_EVIDENCE)
    .map(({ level, text }): LogLine => ({ level, text: text.slice(0, CHARACTERS_OF_LINE) })),
  calls: boundedCalls(agent_calls),
});
