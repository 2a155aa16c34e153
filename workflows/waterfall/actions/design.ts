import { defineAction } from "#workflow-kit/action";
import { blanks, line, escapeUntrusted } from "#workflow-kit/prompt-values";
import chooseAgentsPrompt from "../../../prompts/waterfall/choose_agents.md";
import decomposeTaskPrompt from "../../../prompts/waterfall/decompose_task.md";
import verifyPseudocodePrompt from "../../../prompts/waterfall/verify_pseudocode.md";
import writePseudocodePrompt from "../../../prompts/waterfall/write_pseudocode.md";
import paperDecomposeTaskPrompt from "../../../prompts/waterfall/paper/decompose_task.md";
import paperWritePseudocodePrompt from "../../../prompts/waterfall/paper/write_pseudocode.md";
import { planSchema, shortlistSchema, verdictSchema, type Plan, type Shortlist, type Verdict } from "../artifacts";
import type { ChooseAgentsInput, DecomposeTaskInput, VerifyPseudocodeInput, WritePseudocodeInput } from "../inputs";
import { pseudocodeOf } from "../rules/program";
import { mockChoice, mockPlan, mockPseudocode } from "../mock/design";
import { mockVerdict } from "../mock/verdict";
import { verdictErrors } from "./analysis";
import { agentsValues, briefValues, contextValue, logBeside, tasksValues, type CardDetail } from "./prompt-values";
import { withBlocks } from "./prompts";

export const chooseAgents = defineAction<ChooseAgentsInput, Shortlist>({
  name: "choose_agents",
  role: "task_decomposition_expert",
  kind: "agent_shortlist",
  summary: "Chooses from a large registry the agents to plan over, when no embedding model can rank them.",
  prompt: withBlocks(chooseAgentsPrompt),
  output: shortlistSchema,
  variables: ({ brief, agents, most }) => ({
    ...agentsValues(agents, "choice"),
    requirement: escapeUntrusted(brief.requirement),
    context: contextValue(brief.context),
    most,
  }),
  outcomes: ["ok"],
  mock: (input) => mockChoice(input),
});

const planValues = ({ brief, agents, mistake }: DecomposeTaskInput, detail: CardDetail) => ({
  ...agentsValues(agents, detail),
  ...briefValues(brief),
  mistake: mistake && {
    plan: escapeUntrusted(JSON.stringify(mistake.plan, null, 1)),
    unknown: mistake.unknown.map(({ name, nearest }) => ({ name: line(name), nearest: line(nearest.join(", ")) })),
  },
});

export const decomposeTask = defineAction<DecomposeTaskInput, Plan>({
  name: "decompose_task",
  role: "task_decomposition_expert",
  kind: "task_plan",
  summary: "Splits the requirement into tasks, each with a primary agent of the registry and alternatives.",
  prompt: withBlocks(decomposeTaskPrompt),
  output: planSchema,
  variables: (input) => planValues(input, "short"),
  paper: { prompt: withBlocks(paperDecomposeTaskPrompt), variables: (input) => planValues(input, "all") },
  // Unknown agents are no error here: the workflow sends the plan back with the nearest names, or drops unknown alternatives.
  check: ({ tasks }) => blanks(tasks.map(({ task }, index) => [`Task ${index + 1}`, task])),
  outcomes: ["ok", "one_agent", "several_agents", "unknown_agent", "unknown_alternative"],
  mock: (input, outcome, feedback) => mockPlan(input, outcome, feedback),
});

const pseudocodeValues = ({ brief, agents, plan, revision }: WritePseudocodeInput, detail: CardDetail) => ({
  ...agentsValues(agents, detail),
  ...briefValues(brief),
  ...tasksValues(plan),
  revision: revision && {
    pseudocode: escapeUntrusted(revision.pseudocode),
    reason: escapeUntrusted(revision.reason),
    response: revision.response && escapeUntrusted(revision.response),
  },
});

export const writePseudocode = defineAction<WritePseudocodeInput, string>({
  name: "write_pseudocode",
  role: "pseudocode_generation_expert",
  kind: "pseudocode",
  summary: "Writes how the agents of the plan work together, and again when that, or its response, is rejected.",
  prompt: withBlocks(writePseudocodePrompt),
  tidy: pseudocodeOf,
  media_type: "text/plain",
  variables: (input) => pseudocodeValues(input, "use"),
  paper: { prompt: withBlocks(paperWritePseudocodePrompt), variables: (input) => pseudocodeValues(input, "all") },
  outcomes: ["ok"],
  mock: (input, _outcome, feedback) => mockPseudocode(input, feedback),
});

const verifyValues = ({ log, brief, agents, pseudocode }: VerifyPseudocodeInput, detail: CardDetail) => ({
  ...agentsValues(agents, detail),
  ...logBeside(log, brief.requirement),
  ...briefValues(brief),
  pseudocode: escapeUntrusted(pseudocode),
});

export const verifyPseudocode = defineAction<VerifyPseudocodeInput, Verdict>({
  name: "verify_pseudocode",
  role: "pseudocode_verification_expert",
  kind: "pseudocode_verdict",
  summary: "Judges whether the pseudocode meets the requirement.",
  prompt: withBlocks(verifyPseudocodePrompt),
  output: verdictSchema,
  variables: (input) => verifyValues(input, "use"),
  paper: { variables: (input) => verifyValues(input, "all") },
  check: verdictErrors,
  outcomes: ["accept", "reject"],
  mock: ({ pseudocode }, outcome, feedback) => mockVerdict("the pseudocode", pseudocode, outcome, feedback),
});
