import type { Artifact } from "#workflow-kit/artifact";
import { clip } from "#workflow-kit/text";
import { answerDirectly, callAgent, generateCode, verifyResponse } from "../actions";
import { callsOfDirectAnswer, NoAnswer, responseOf } from "../rules/answer";
import type { Plan, Response } from "../artifacts";
import type { Evidence, GenerateCodeInput } from "../inputs";
import type { Failure } from "../rules/program";
import { agentsForProgram, findAgent, nearestNames } from "../rules/registry";
import { briefOf, type PlanningInput, type StageTeam } from "../context";
import type { AgentCall, AgentOutcome, Assigned, ExecutionLog, LogLine } from "#workflow-kit/programs";

/** Lines at the end of a program's log that the Analyst sees. */
const LINES_OF_EVIDENCE = 60;
const CHARACTERS_OF_LINE = 500;

/** The form in which an agent refuses a task (prompts/waterfall/call_agent.md). */
const CANNOT = /^\W*CANNOT:[\s*]*(.*)/s;

/** The result of one execution. */
export type Execution =
  | { ok: true; response: Artifact<Response>; rejected: string | null }
  | { ok: false; evidence: Evidence };

/** Code generation (WaAgents, 3.3). Without a design the program is written from the requirement alone, and may use all agents. */
export function writeProgram(
  team: StageTeam,
  planning: PlanningInput,
  { plan, pseudocode }: { plan: Artifact<Plan> | null; pseudocode: Artifact<string> | null },
  revision: GenerateCodeInput["revision"],
): Promise<Artifact<string>> {
  const input = {
    brief: briefOf(team, planning),
    agents: agentsForProgram(planning.agents, plan?.content ?? null, pseudocode?.content ?? ""),
    pseudocode: pseudocode?.content ?? null,
    revision,
  };
  return team.perform(generateCode, input, [planning.requirement, planning.gherkin, pseudocode]);
}

/** Runs a program. The Response Verification Expert judges the answer that it returns. */
export async function execute(
  team: StageTeam,
  planning: PlanningInput,
  code: Artifact<string>,
  number: number,
): Promise<Execution> {
  const log = await team.context.run.execute({
    key: String(number),
    iteration: number,
    source: code.content,
    given: { requirement: planning.requirement.content.refined_requirement, context: planning.log.content.context },
    inputs: [code],
    assign: (call) => assignAgent(planning, call),
  });
  const functions = team.options.functions ?? [];
  const read = readResult(log.content, functions);
  if (!read.ok) return { ok: false, evidence: evidenceOf(log.content, read.failure) };
  const by = { action: "read_result", role: "sandbox", inputs: [log] };
  const response = await team.publish("response", read.response, by);
  const input = { brief: briefOf(team, planning), response: read.response, strict: team.options.strict_response };
  const { content } = await team.perform(verifyResponse, input, [planning.requirement, planning.gherkin, response]);
  return { ok: true, response, rejected: content.accepted ? null : (content.reason ?? "no reason was given") };
}

/** The baseline: one model answers without experts, agents and program. */
export async function answerAlone(team: StageTeam): Promise<Artifact<Response>> {
  const { requirement, context = null } = team.context.input;
  const functions = team.options.functions ?? [];
  const direct = await team.perform(answerDirectly, { requirement, context, functions }, []);
  const calls = functions.length ? callsOfDirectAnswer(direct.content, functions).calls : null;
  const response: Response = { answer: direct.content.answer, answer_json: undefined, calls };
  return team.publish("response", response, { action: "read_result", role: "agent", inputs: [direct] });
}

function assignAgent({ agents }: PlanningInput, { agent: name, task, input }: AgentCall): Assigned {
  const agent = findAgent(agents, name);
  if (!agent) {
    return {
      refused: `There is no agent "${clip(name, 100)}". Nearest are: ${nearestNames(agents, name).join(", ")}.`,
    };
  }
  return {
    agent,
    action: callAgent,
    input: { agent, task, input },
    read: (text) => parseAgentAnswer(agent.name, text),
  };
}

/** An agent's answer for the program: JSON objects and arrays are parsed, everything else is text. */
export function parseAgentAnswer(agent: string, text: string): AgentOutcome {
  const refusal = CANNOT.exec(text);
  if (refusal) return { ok: false, value: `${agent} cannot do this: ${refusal[1]!.trim() || "no reason was given"}` };
  if (/^\s*[[{]/.test(text)) {
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
): { ok: true; response: Response } | { ok: false; failure: Failure } {
  if (log.status === "failed") return { ok: false, failure: log.error };
  try {
    return { ok: true, response: responseOf(log.value, functions) };
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    const { name, message } = error;
    return { ok: false, failure: { kind: "no_answer", name, message, line: null, column: null, stack: "" } };
  }
}

const evidenceOf = ({ log, agent_calls }: ExecutionLog, failure: Failure): Evidence => ({
  failure,
  log: log
    .slice(-LINES_OF_EVIDENCE)
    .map(({ level, text }): LogLine => ({ level, text: text.slice(0, CHARACTERS_OF_LINE) })),
  calls: agent_calls,
});
