import { defineAction } from "#workflow-kit/action";
import { blanks, line, escapeMaterial } from "#workflow-kit/prompt-values";
import decomposeTaskPrompt from "../../../prompts/waterfall/decompose_task.md";
import verifyPseudocodePrompt from "../../../prompts/waterfall/verify_pseudocode.md";
import writePseudocodePrompt from "../../../prompts/waterfall/write_pseudocode.md";
import { planSchema, verdictSchema, type Plan, type Verdict } from "../artifacts";
import type { DecomposeTaskInput, VerifyPseudocodeInput, WritePseudocodeInput } from "../inputs";
import { pseudocodeOf } from "../rules/program";
import { rehearsePlan, rehearsePseudocode } from "../rehearsal/design";
import { rehearseVerdict } from "../rehearsal/verdict";
import { verdictFaults } from "./analysis";
import { agentsValues, briefValues, logValues, tasksValues } from "./prompt-values";

export const decomposeTask = defineAction<DecomposeTaskInput, Plan>({
  name: "decompose_task",
  role: "task_decomposition_expert",
  kind: "task_plan",
  summary: "Splits the requirement into tasks, each with a primary agent of the registry and alternatives.",
  prompt: decomposeTaskPrompt,
  output: planSchema,
  variables: ({ brief, agents, mistake }) => ({
    ...agentsValues(agents),
    ...briefValues(brief),
    mistake: mistake && {
      plan: escapeMaterial(JSON.stringify(mistake.plan, null, 1)),
      unknown: mistake.unknown.map(({ name, nearest }) => ({ name: line(name), nearest: line(nearest.join(", ")) })),
    },
  }),
  // Unknown agents are no fault here: the workflow sends the plan back with the nearest names.
  check: ({ tasks }) => blanks(tasks.map(({ task }, index) => [`Task ${index + 1}`, task])),
  outcomes: ["ok", "unknown_agent"],
  rehearse: (input, outcome, feedback) => rehearsePlan(input, outcome, feedback),
});

export const writePseudocode = defineAction<WritePseudocodeInput, string>({
  name: "write_pseudocode",
  role: "pseudocode_generation_expert",
  kind: "pseudocode",
  summary: "Writes how the agents of the plan work together, and again when that, or its response, is rejected.",
  prompt: writePseudocodePrompt,
  tidy: pseudocodeOf,
  media_type: "text/plain",
  variables: ({ brief, agents, plan, revision }) => ({
    ...agentsValues(agents),
    ...briefValues(brief),
    ...tasksValues(plan),
    revision: revision && {
      pseudocode: escapeMaterial(revision.pseudocode),
      reason: escapeMaterial(revision.reason),
      response: revision.response && escapeMaterial(revision.response),
    },
  }),
  outcomes: ["ok"],
  rehearse: (input, _outcome, feedback) => rehearsePseudocode(input, feedback),
});

export const verifyPseudocode = defineAction<VerifyPseudocodeInput, Verdict>({
  name: "verify_pseudocode",
  role: "pseudocode_verification_expert",
  kind: "pseudocode_verdict",
  summary: "Judges whether the pseudocode meets the requirement.",
  prompt: verifyPseudocodePrompt,
  output: verdictSchema,
  variables: ({ log, brief, pseudocode }) => ({
    ...logValues(log),
    ...briefValues(brief),
    pseudocode: escapeMaterial(pseudocode),
  }),
  check: verdictFaults,
  outcomes: ["accept", "reject"],
  rehearse: ({ pseudocode }, outcome, feedback) => rehearseVerdict("the pseudocode", pseudocode, outcome, feedback),
});
