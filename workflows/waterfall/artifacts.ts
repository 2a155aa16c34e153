import { z } from "zod";
import type { KindDefinition } from "#workflow-kit/workflow";
import type { AgentProfile } from "#workflow-kit/agents";
import type { FunctionCall } from "#workflow-kit/functions";
import type { Role } from "./roles";
import type { AgentResult, ExecutionLog } from "#workflow-kit/programs";

/**
 * Contents of the artifacts. Models' artifacts fit strict JSON schemas: every property is required, and additional properties are dropped.
 */

/** The five dimensions of clarification (WaAgents, A.2.1). */
export const DIMENSIONS = ["event", "status", "type", "purpose", "condition"] as const;

export const questionsSchema = z.object({
  questions: z
    .array(z.object({ id: z.string().describe("q1, q2, …"), dimension: z.enum(DIMENSIONS), question: z.string() }))
    .max(6),
});

export const refinedSchema = z.object({
  inferred_answers: z.array(z.object({ question: z.string().describe("Id of the question"), answer: z.string() })),
  refined_requirement: z.string(),
});

/** The paper writes an absent reason as the text "null", which becomes null here. */
const reasonSchema = z
  .string()
  .nullable()
  .transform((reason) => (reason && !/^\s*(null|none)?\s*$/i.test(reason) ? reason : null));

/** A verifier's judgment. The reason comes before the verdict, so that a model thinks before it decides. */
export const verdictSchema = z.object({ reason: reasonSchema, accepted: z.boolean() });

/** The judgment of a response, with what would make it better. Artifacts of version 1 have no improvements. */
export const responseVerdictSchema = z.object({
  reason: reasonSchema,
  improvements: z
    .array(z.string())
    .max(3)
    .describe("What would make the response clearly better; also of an accepted one"),
  accepted: z.boolean(),
});

export const planSchema = z.object({
  tasks: z
    .array(z.object({ task: z.string(), primary_agent: z.string(), alternative_agents: z.array(z.string()).max(3) }))
    .min(1)
    .max(12),
});

export const LAYERS = ["design", "implementation"] as const;

export const errorReportSchema = z.object({ error_description: z.string(), error_aspect: z.enum(LAYERS) });

/** The agents that a model chose from a large registry. */
export const shortlistSchema = z.object({ agents: z.array(z.string()).min(1).max(24) });

/** The answer of the single agent when the caller has functions. */
export const directAnswerSchema = z.object({
  answer: z.string(),
  calls: z.array(z.object({ name: z.string(), arguments: z.string().describe("A JSON object, as text") })),
});

export type Questions = z.infer<typeof questionsSchema>;
export type Refined = z.infer<typeof refinedSchema>;
export type Verdict = z.infer<typeof verdictSchema>;
/** `improvements` is absent under the profile `paper`, and in artifacts of version 1. */
export type ResponseVerdict = Verdict & { improvements?: string[] | undefined };
/** `note` says what code changed in a model's plan. */
export type Plan = z.infer<typeof planSchema> & { note?: string };
export type Shortlist = z.infer<typeof shortlistSchema>;
export type Layer = (typeof LAYERS)[number];
export type ErrorReport = z.infer<typeof errorReportSchema>;
export type DirectAnswer = z.infer<typeof directAnswerSchema>;

/** The request with its questions and answers (WaAgents, 3.1: the User Log). */
export interface UserLog {
  requirement: string;
  context: string | null;
  entries: LogEntry[];
  comment: string | null;
}

export interface LogEntry {
  id: string;
  dimension: string;
  question: string;
  /** null when there is no answer. */
  answer: string | null;
  source: "user" | "inferred" | null;
}

/** The result of a program, or of the single agent. */
export interface Response {
  answer: string;
  /** The returned value, if it is not a text. */
  answer_json: unknown;
  calls: FunctionCall[] | null;
}

/** Content of each kind of artifact. */
export interface Contents {
  agent_profiles: AgentProfile[];
  embeddings: unknown;
  agent_shortlist: string[] | Shortlist;
  clarification_questions: Questions;
  user_log: UserLog;
  refined_requirement: Refined;
  gherkin: string;
  gherkin_ast: unknown;
  requirement_verdict: Verdict;
  task_plan: Plan;
  pseudocode: string;
  pseudocode_verdict: Verdict;
  code: string;
  agent_result: AgentResult;
  execution_log: ExecutionLog;
  /** A text; with functions, and in artifacts of version 1, an object. */
  direct_answer: string | DirectAnswer;
  response: Response;
  answer: string;
  response_verdict: ResponseVerdict;
  error_report: ErrorReport;
}

export type Kind = keyof Contents;

const ANALYSTS: Role[] = ["error_analyst", "pseudocode_fixer", "code_fixer"];
const AFTER_ANALYSIS: Role[] = [
  "task_decomposition_expert",
  "pseudocode_generation_expert",
  "pseudocode_verification_expert",
  "code_generation_expert",
  "response_verification_expert",
  ...ANALYSTS,
];

/** The kinds, and the flow of artifacts among the experts (WaAgents, Fig. 1 and A.2: inputs and outputs of the prompts). */
export const KINDS: Record<Kind, KindDefinition<Role | "human" | "all">> = {
  agent_profiles: { summary: "The worker agents that this run may use.", send_to: ["all"] },
  embeddings: {
    summary: "Vectors of the requirement and of the agents' cards, in pages; only of a large registry.",
    send_to: ["task_decomposition_expert"],
  },
  agent_shortlist: {
    summary: "The agents that fit the requirement best, best first; only of a large registry.",
    send_to: ["task_decomposition_expert"],
  },
  clarification_questions: {
    summary: "Questions about unclear points of the request; none when all is clear.",
    send_to: ["human", "requirement_optimization_expert"],
  },
  user_log: {
    summary: "The request, the questions, and the answers: given by a person, or inferred.",
    send_to: ["requirement_optimization_expert", "requirement_verification_expert"],
  },
  refined_requirement: {
    summary: "The request, rewritten so that it is clear and complete.",
    send_to: ["requirement_transformation_expert", "requirement_verification_expert", ...AFTER_ANALYSIS],
  },
  gherkin: {
    summary: "The requirement as Gherkin; one that is not valid goes back to its writer.",
    send_to: ["requirement_verification_expert", ...AFTER_ANALYSIS],
  },
  gherkin_ast: { summary: "The syntax tree of the Gherkin, as the parser of Cucumber makes it.", send_to: ["human"] },
  requirement_verdict: {
    summary: "Whether the Gherkin matches the user's request.",
    send_to: ["requirement_optimization_expert", "requirement_transformation_expert"],
  },
  task_plan: {
    summary: "Tasks, each with a primary agent and alternatives.",
    send_to: ["pseudocode_generation_expert", ...ANALYSTS],
  },
  pseudocode: {
    summary: "The order of agent calls and the flow of their results.",
    send_to: ["pseudocode_verification_expert", "code_generation_expert", ...ANALYSTS],
  },
  pseudocode_verdict: {
    summary: "Whether the pseudocode meets the requirement.",
    send_to: ["pseudocode_generation_expert"],
  },
  code: { summary: "The program, JavaScript.", send_to: ANALYSTS },
  agent_result: {
    summary: "An agent's result for the program, or the reason for its failure.",
    send_to: ["all"],
  },
  execution_log: {
    summary: "The end of the program, its log, and its agent calls.",
    send_to: ["all"],
  },
  direct_answer: { summary: "The answer of one agent without the team (`single_agent`).", send_to: ["human"] },
  response: { summary: "The program's result as text.", send_to: ["response_verification_expert", "human"] },
  answer: { summary: "The answer as a document.", send_to: ["human"] },
  response_verdict: {
    summary: "Whether the response answers the request, and what would make it better.",
    send_to: ["pseudocode_generation_expert", "code_generation_expert", "agent"],
  },
  error_report: {
    summary: "The layer that caused a failure, and the reason.",
    send_to: ["pseudocode_fixer", "code_fixer"],
  },
};

/** Kinds at which a person may be asked for feedback: those that an expert's action makes. */
export const REVIEW_KINDS = [
  "clarification_questions",
  "refined_requirement",
  "gherkin",
  "requirement_verdict",
  "task_plan",
  "pseudocode",
  "pseudocode_verdict",
  "code",
  "direct_answer",
  "response_verdict",
  "error_report",
] as const satisfies readonly Kind[];
