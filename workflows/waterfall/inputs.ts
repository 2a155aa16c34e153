import type { AgentProfile } from "#workflow-kit/agents";
import type { LogLine, LoggedCall } from "#workflow-kit/programs";
import type { ErrorReport, Layer, Plan, Response, UserLog } from "./artifacts";
import type { FunctionSpec } from "#workflow-kit/functions";
import type { Failure } from "./rules/program";
import type { UnknownAgent } from "./rules/registry";

/** The input of each action (WaAgents, A.2: the inputs of the prompts). */

/** The request as every expert after the analysis gets it. */
export interface Brief {
  /** The refined requirement, or the request itself. */
  requirement: string;
  context: string | null;
  /** null without requirement analysis. */
  gherkin: string | null;
  /** The caller's own functions; usually none. */
  functions: readonly FunctionSpec[];
}

export interface AskClarificationsInput {
  requirement: string;
  context: string | null;
  functions: readonly FunctionSpec[];
}

export interface OptimizeRequirementInput {
  log: UserLog;
  functions: readonly FunctionSpec[];
  rejection: { requirement: string; gherkin: string; reason: string } | null;
}

export interface TransformRequirementInput {
  requirement: string;
  context: string | null;
  /** The previous Gherkin, if its syntax was invalid. */
  invalid: { text: string; errors: readonly string[] } | null;
  rejection: { gherkin: string; reason: string } | null;
}

export interface ChooseAgentsInput {
  brief: Brief;
  /** All agents of a large registry. */
  agents: readonly AgentProfile[];
  /** How many it may choose. */
  most: number;
}

export interface VerifyRequirementInput {
  log: UserLog;
  requirement: string;
  gherkin: string;
}

export interface DecomposeTaskInput {
  brief: Brief;
  agents: readonly AgentProfile[];
  /** The previous plan, if it named unknown agents. */
  mistake: { plan: Plan; unknown: readonly UnknownAgent[] } | null;
}

export interface WritePseudocodeInput {
  brief: Brief;
  agents: readonly AgentProfile[];
  plan: Plan;
  revision: { pseudocode: string; reason: string; response: string | null } | null;
}

export interface VerifyPseudocodeInput {
  log: UserLog;
  brief: Brief;
  agents: readonly AgentProfile[];
  pseudocode: string;
}

export interface GenerateCodeInput {
  brief: Brief;
  agents: readonly AgentProfile[];
  /** null without design. */
  pseudocode: string | null;
  /** The previous program, if it is to be rewritten, not repaired. */
  revision: { code: string; reason: string } | null;
}

export interface VerifyResponseInput {
  log: UserLog;
  brief: Brief;
  response: Response;
  strict: boolean;
}

/** Evidence of a failed execution: the error, the last lines of the log, and every finished agent call. */
export interface Evidence {
  failure: Failure;
  log: readonly LogLine[];
  calls: readonly LoggedCall[];
}

/** The common input of the Error Analyst and both Fixers. */
export interface FailedProgram {
  brief: Brief;
  /** The agents with a part in the design, with their alternatives. */
  agents: readonly AgentProfile[];
  /** The other agents of the run: planners know them by their first lines. */
  others: readonly AgentProfile[];
  pseudocode: string | null;
  code: string;
  evidence: Evidence;
}

export interface AnalyzeErrorInput extends FailedProgram {
  /** The layer whose repair did not remove this failure. */
  blamed_before: Layer | null;
}

export interface FixPseudocodeInput extends FailedProgram {
  pseudocode: string;
  plan: Plan | null;
  report: ErrorReport;
}

export interface FixCodeInput extends FailedProgram {
  report: ErrorReport;
}

export interface CallAgentInput {
  agent: AgentProfile;
  task: string;
  input: unknown;
  /** What the program got: texts of the input that are the same are shown as the user's own. */
  given: Given;
}

/** Values that a program gets besides the agents. */
export interface Given {
  requirement: string;
  context: string | null;
  functions: readonly FunctionSpec[];
}

export interface AnswerDirectlyInput {
  requirement: string;
  context: string | null;
  functions: readonly FunctionSpec[];
}

/** The layer to repair when the repair of `layer` did not help. */
export const otherLayer = (layer: Layer): Layer => (layer === "design" ? "implementation" : "design");
