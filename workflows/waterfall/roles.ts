import type { RoleDefinition } from "#workflow-kit/workflow";

/** The paper decodes greedily ("temperature 0"). Most output tokens of roles that write a document, and of those that answer with small JSON. */
const DOCUMENT = { temperature: 0, max_output_tokens: 16_384 };
const SMALL = { temperature: 0, max_output_tokens: 8192 };

/** The twelve experts (WaAgents, A.2) by stage, and the worker agents that they plan over. */
const SUMMARIES = {
  clarification_question_expert: "Asks about what is unclear in the request.",
  requirement_optimization_expert: "Rewrites the request with what was answered, or why it was rejected.",
  requirement_transformation_expert: "Writes the refined requirement as Gherkin.",
  requirement_verification_expert: "Judges whether the Gherkin is what the user asked for.",
  task_decomposition_expert: "Splits the work into tasks and gives each to agents of the registry.",
  pseudocode_generation_expert: "Writes how the agents work together, as pseudocode.",
  pseudocode_verification_expert: "Judges whether the pseudocode meets the requirement.",
  code_generation_expert: "Writes the program that calls the agents.",
  response_verification_expert: "Judges whether the program's response answers the request.",
  error_analyst: "Finds out whether design or implementation is to blame when a program fails.",
  pseudocode_fixer: "Repairs the design.",
  code_fixer: "Repairs the program.",
  agent: "Any worker agent that has no model of its own; also the one of the strategy `single_agent`.",
} as const satisfies Record<string, string>;

export type Role = keyof typeof SUMMARIES;

export const ROLES = Object.keys(SUMMARIES) as Role[];

const WRITERS: readonly Role[] = [
  "requirement_optimization_expert",
  "pseudocode_generation_expert",
  "code_generation_expert",
  "pseudocode_fixer",
  "code_fixer",
];
/** Agents answer as long as their models do: the answer of a run has no bound of ours. */
const decodingOf = (name: Role) => {
  if (name === "agent") return { temperature: 0 };
  return WRITERS.includes(name) ? DOCUMENT : SMALL;
};

export const roles: readonly RoleDefinition[] = ROLES.map((name) => ({
  name,
  summary: SUMMARIES[name],
  decoding: decodingOf(name),
}));
