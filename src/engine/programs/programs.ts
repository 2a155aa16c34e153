import { commitOnce, stepName } from "../durable/steps";
import type { StageExecution } from "../durable/stage-execution";
import { inProfile } from "#workflow-kit/action";
import type { Artifact } from "#workflow-kit/artifact";
import { RunFailedError, failRun, isOfAnswer } from "../instance/signals";
import { callStep, runExecution } from "./execution";
import { ownerOf } from "../instance/spec";
import { askModel } from "../calls/models";
import type { Stages } from "../durable/stages";
import {
  type AgentCall,
  type AgentResult,
  type CallTarget,
  type ExecutionRequest,
  type Programs,
  seedOf,
} from "#workflow-kit/programs";

/** Bounds a subject: a program may call an agent by any name. Characters. */
const MAX_SUBJECT_LENGTH = 100;
const PROFILES = { name: "read_registry", kind: "agent_profiles", role: "registry" };
const EXECUTION = { name: "execute_program", kind: "execution_log", role: "sandbox" };
const AGENT_RESULT = { name: "call_agent", kind: "agent_result", role: "agent" };

/** Worker agents, and generated programs that call them in the sandbox. Only inside a stage. */
export const createPrograms = (stages: Stages): Programs => ({
  agents(ids) {
    const stage = stages.current;
    const { spec, deps } = stage.instance;
    return commitOnce(stage, stepName(stage, PROFILES.name), PROFILES, {}, async () => ({
      // `failRun`: an agent may have been deleted since the run was created.
      content: await deps.agents.load(ownerOf(spec), ids).catch(failRun),
    }));
  },

  execute(request) {
    const stage = stages.current;
    const { run_id, spec, deps } = stage.instance;
    const seed = seedOf(`${run_id}/${request.key}`);
    const name = stepName(stage, "execution", request);
    return commitOnce(stage, name, EXECUTION, request, async () => {
      await deps.store.quotas.assertRoom(spec.tenant, { sandbox_executions: 1 }).catch(failRun);
      const perform = (call: AgentCall) => callAgent(stage, name, request, call);
      return { content: await runExecution(deps.runProgram, request, seed, perform) };
    });
  },
});

/** Performs one call of a program, and commits the agent's result or failure with its sequence number. */
function callAgent(
  stage: StageExecution,
  execution: string,
  request: ExecutionRequest,
  call: AgentCall,
): Promise<Artifact<AgentResult>> {
  const assigned = request.assign(call);
  const { agent, task, input, line } = call;
  const { iteration, inputs = [] } = request;
  const options = { subject: agent.slice(0, MAX_SUBJECT_LENGTH), iteration, inputs };
  const name = callStep(execution, call);
  return commitOnce(stage, name, AGENT_RESULT, options, async () => {
    stage.assertMayContinue();
    const { ok, value, tool_calls, provenance } =
      "refused" in assigned
        ? { ok: false, value: assigned.refused, tool_calls: [], provenance: {} }
        : await askAgent(stage, assigned, name, iteration);
    const content: AgentResult = { agent, task, input, ok, value, line, tool_calls };
    return { content, ...provenance, outcome: { execution, ok } };
  });
}

/** The agent fails if it refuses, answers nothing usable, or its input is too long. All other errors are thrown: the program never sees them. */
async function askAgent(
  stage: StageExecution,
  { agent, action, input, read }: Exclude<CallTarget, { refused: string }>,
  step: string,
  iteration: number,
) {
  const { spec, deps } = stage.instance;
  const tools = await deps.agents.tools(agent, ownerOf(spec));
  try {
    const answer = await askModel(stage, {
      action: inProfile(action, spec.options.profile),
      input,
      step,
      iteration,
      agent: { model: agent.model, tools },
    });
    return { ...read(answer.value), tool_calls: answer.tool_calls, provenance: answer.provenance };
  } catch (error) {
    if (!(error instanceof RunFailedError) || !isOfAnswer(error.code)) throw error; // the program, or the expert who repairs it, can react
    return {
      ok: false,
      value: `${agent.name} gave no usable answer. ${error.detail}`,
      tool_calls: [],
      provenance: {},
    };
  }
}
