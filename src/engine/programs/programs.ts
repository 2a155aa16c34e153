import type { Acts } from "../durable/acts";
import { inProfile } from "#workflow-kit/action";
import type { Artifact } from "#workflow-kit/artifact";
import { Failed, failRun, isOfAnswer } from "../instance/control";
import { callAct, runExecution } from "./execution";
import type { Instance } from "../instance/instance";
import { ownerOf } from "../instance/spec";
import type { Models } from "../calls/models";
import type { Stages } from "../durable/stages";
import {
  type AgentCall,
  type AgentResult,
  type Assigned,
  type ExecutionLog,
  type ExecutionRequest,
  seedOf,
} from "#workflow-kit/programs";

/** Bounds a subject: a program may call an agent by any name. Characters. */
const LONGEST_SUBJECT = 100;
const EXECUTION = { name: "execute_program", kind: "execution_log", role: "sandbox" };
const AGENT_RESULT = { name: "call_agent", kind: "agent_result", role: "agent" };

/** Runs generated programs in the sandbox. Only inside a stage. */
export class Programs {
  constructor(
    private readonly instance: Instance,
    private readonly stages: Stages,
    private readonly acts: Acts,
    private readonly models: Models,
  ) {}

  /** Runs a program once: its finished execution is an artifact, and each of its agent calls is an act. */
  execute(request: ExecutionRequest): Promise<Artifact<ExecutionLog>> {
    const { run_id, spec, deps } = this.instance;
    const seed = seedOf(`${run_id}/${request.key}`);
    const act = this.acts.name("execution", request);
    const perform = (call: AgentCall) => this.callAgent(act, request, call);
    return this.acts.commitOnce(act, EXECUTION, request, async () => {
      await deps.store.quotas.assertRoom(spec.tenant, { sandbox_executions: 1 }).catch(failRun);
      return { content: await runExecution(deps.runProgram, request, seed, perform) };
    });
  }

  /** Performs one call of a program, and commits the agent's result or failure with its sequence number. */
  private callAgent(execution: string, request: ExecutionRequest, call: AgentCall): Promise<Artifact<AgentResult>> {
    const assigned = request.assign(call);
    const { agent, task, input, line } = call;
    const { iteration, inputs = [] } = request;
    const options = { subject: agent.slice(0, LONGEST_SUBJECT), iteration, inputs };
    const act = callAct(execution, call);
    return this.acts.commitOnce(act, AGENT_RESULT, options, async () => {
      this.stages.currentVisit.assertMayGoOn();
      const { ok, value, tool_calls, provenance } =
        "refused" in assigned
          ? { ok: false, value: assigned.refused, tool_calls: [], provenance: {} }
          : await this.askAgent(assigned, act, iteration);
      const content: AgentResult = { agent, task, input, ok, value, line, tool_calls };
      return { content, ...provenance, outcome: { execution, ok } };
    });
  }

  /** The agent fails if it refuses, answers nothing usable, or its input is too long. All other errors are thrown: the program never sees them. */
  private async askAgent(
    { agent, action, input, read }: Exclude<Assigned, { refused: string }>,
    act: string,
    iteration: number,
  ) {
    const { spec, deps } = this.instance;
    const tools = await deps.agents.tools(agent, ownerOf(spec));
    try {
      const performed = inProfile(action, spec.options.profile);
      const answer = await this.models.ask({
        action: performed,
        input,
        act,
        iteration,
        agent: { model: agent.model, tools },
      });
      return { ...read(answer.value), tool_calls: answer.tool_calls, provenance: answer.provenance };
    } catch (error) {
      if (!(error instanceof Failed) || !isOfAnswer(error.code)) throw error; // the program, or the expert who repairs it, can react
      return {
        ok: false,
        value: `${agent.name} gave no usable answer. ${error.detail}`,
        tool_calls: [],
        provenance: {},
      };
    }
  }
}
