import type { AgentProfile } from "#workflow-kit/agents";
import type { LogLine } from "#workflow-kit/programs";
import type { ErrorReport, Layer, Plan, Response, UserLog } from "./artifacts";
import type { FunctionSpec } from "./rules/functions";
import type { Failure } from "./rules/program";
import type { UnknownAgent } from "./rules/registry";
import type { LoggedCall } from "#workflow-kit/programs";

/** What each action is given (WaAgents, A.2: the inputs of the prompts). */

/** What every expert after the analysis knows of the request. */
export interface Brief {
  /** As refined, if it was. */
  requirement: string;
  context: string | null;
  /** null without requirement analysis. */
  gherkin: string | null;
  /** The caller's own; mostly there are none. */
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
  /** What was written before and is no valid Gherkin. */
  faulty: { text: string; faults: readonly string[] } | null;
  rejection: { gherkin: string; reason: string } | null;
}

export interface VerifyRequirementInput {
  log: UserLog;
  requirement: string;
  gherkin: string;
}

export interface DecomposeTaskInput {
  brief: Brief;
  agents: readonly AgentProfile[];
  /** A plan that names agents which are not there. */
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
  pseudocode: string;
}

export interface GenerateCodeInput {
  brief: Brief;
  agents: readonly AgentProfile[];
  /** null without design. */
  pseudocode: string | null;
  /** A program that is to be written anew, not repaired. */
  revision: { code: string; reason: string } | null;
}

export interface VerifyResponseInput {
  brief: Brief;
  response: Response;
  strict: boolean;
}

/** What is known of a failed execution: the error, the last lines that were printed, and every agent call that was finished. */
export interface Evidence {
  failure: Failure;
  log: readonly LogLine[];
  calls: readonly LoggedCall[];
}

/** What the Error Analyst and both Fixers see. */
export interface FailedProgram {
  brief: Brief;
  agents: readonly AgentProfile[];
  pseudocode: string | null;
  code: string;
  evidence: Evidence;
}

export interface AnalyzeErrorInput extends FailedProgram {
  /** Layer that was repaired for this very failure, without success. */
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
}

export interface AnswerDirectlyInput {
  requirement: string;
  context: string | null;
  functions: readonly FunctionSpec[];
}

/** The layer that is left when one was repaired in vain. */
export const otherLayer = (layer: Layer): Layer => (layer === "design" ? "implementation" : "design");
