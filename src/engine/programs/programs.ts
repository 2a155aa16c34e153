import type { Acts } from "../durable/acts";
import type { Artifact } from "#workflow-kit/artifact";
import { Failed } from "../instance/control";
import { callAct, runExecution } from "./execution";
import type { Instance } from "../instance/instance";
import type { Models } from "../calls/models";
import type { Stages } from "../durable/stages";
import type { ErrorCode } from "#core/errors";
import {
  type AgentCall,
  type AgentResult,
  type Assigned,
  type ExecutionLog,
  type ExecutionRequest,
  seedOf,
} from "#workflow-kit/programs";

/** A program may call an agent by any text. Characters. */
const LONGEST_SUBJECT = 100;
const EXECUTION = { name: "execute_program", kind: "execution_log", role: "sandbox" };
const AGENT_RESULT = { name: "call_agent", kind: "agent_result", role: "agent" };

/** What a program, or who repairs it, can do something about. */
const isOfAgent = (code: ErrorCode) => code.startsWith("output_") || code === "provider_input_too_long";

/** Generated programs, executed in the sandbox. Only inside a stage. */
export class Programs {
  constructor(
    private readonly instance: Instance,
    private readonly stages: Stages,
    private readonly acts: Acts,
    private readonly models: Models,
  ) {}

  /** Runs a program once: an execution that ended is an artifact, and each of its agent calls is an act. */
  execute(request: ExecutionRequest): Promise<Artifact<ExecutionLog>> {
    const { run_id, deps } = this.instance;
    const seed = seedOf(`${run_id}/${request.key}`);
    const act = this.acts.name("execution", request);
    const perform = (call: AgentCall) => this.callAgent(act, request, call);
    return this.acts.commitOnce(act, EXECUTION, request, async () => ({
      content: await runExecution(deps.runProgram, request, seed, perform),
    }));
  }

  /** One call of a program: what comes of it is committed, a failure of the agent too, with its place in the order of outcomes. */
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
          : await this.workOf(assigned, act, iteration);
      const content: AgentResult = { agent, task, input, ok, value, line, tool_calls };
      return { content, ...provenance, outcome: { execution, ok } };
    });
  }

  /** An agent that refuses, gives nothing usable, or is given more than it can read, has failed; whatever else goes wrong is none of the program's business. */
  private async workOf(
    { agent, action, input, read }: Exclude<Assigned, { refused: string }>,
    act: string,
    iteration: number,
  ) {
    const { spec, deps } = this.instance;
    const { tenant, mode } = spec;
    const tools = await deps.agents.tools(agent, { tenant, mode });
    try {
      const answer = await this.models.ask({ action, input, act, iteration, agent: { model: agent.model, tools } });
      return { ...read(answer.value), tool_calls: answer.tool_calls, provenance: answer.provenance };
    } catch (error) {
      if (!(error instanceof Failed) || !isOfAgent(error.code)) throw error;
      return {
        ok: false,
        value: `${agent.name} gave no usable answer. ${error.detail}`,
        tool_calls: [],
        provenance: {},
      };
    }
  }
}
