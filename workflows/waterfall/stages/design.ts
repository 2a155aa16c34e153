import type { AgentProfile } from "#workflow-kit/agents";
import type { Artifact } from "#workflow-kit/artifact";
import { decomposeTask, verifyPseudocode, writePseudocode } from "../actions";
import type { Plan } from "../artifacts";
import type { DecomposeTaskInput, WritePseudocodeInput } from "../inputs";
import { agentsOfPlan, soleAgent, unknownAgents, withoutUnknownAlternatives } from "../rules/registry";
import { atLimit, briefOf, VERIFIED, type Ending, type PlanningInput, type Stop, type Context } from "../context";

/** How often a plan with unknown agents goes back to the Decomposition Expert. */
const PLAN_REVISIONS = 2;

export interface Design extends Ending {
  plan: Artifact<Plan>;
  /** null when the plan was refused, or has one agent do everything. */
  pseudocode: Artifact<string> | null;
}

/** Design (WaAgents, 3.2): a plan over the agents of the registry, and pseudocode that the verifier accepts. */
export async function design(context: Context, planning: PlanningInput): Promise<Design> {
  const { plan, stop } = await makePlan(context, planning);
  if (stop || agentAlone(context, planning, plan)) return { plan, pseudocode: null, unverified: null, stop };
  const pseudocode = await pseudocodeFor(context, planning, plan, null);
  return { plan, ...(await refinePseudocode(context, planning, plan, pseudocode)) };
}

/**
 * The agent that does everything in a plan: code then writes the program, so that pseudocode, its verification and a program by a model
 * are spared. Null when there are several, when the paper's experts are wanted, or when a person reviews what they make.
 */
export function agentAlone(
  context: Context,
  { agents }: PlanningInput,
  plan: Artifact<Plan> | null,
): AgentProfile | null {
  if (!plan || context.isPaper || context.reviews("pseudocode", "pseudocode_verdict", "code")) return null;
  return soleAgent(plan.content, agents);
}

/** Revises the design after its response was rejected. */
export async function redesign(
  context: Context,
  planning: PlanningInput,
  plan: Artifact<Plan>,
  rejected: { pseudocode: Artifact<string>; response: string; reason: string },
): Promise<Design> {
  const { pseudocode, response, reason } = rejected;
  const revised = await pseudocodeFor(context, planning, plan, { pseudocode: pseudocode.content, response, reason });
  if (!context.options.verify_repaired_pseudocode) return { plan, pseudocode: revised, ...VERIFIED };
  return { plan, ...(await refinePseudocode(context, planning, plan, revised)) };
}

/** Verifies pseudocode, and has it rewritten until it is accepted or the limit is reached. */
export async function refinePseudocode(
  context: Context,
  planning: PlanningInput,
  plan: Artifact<Plan> | null,
  first: Artifact<string>,
): Promise<Ending & { pseudocode: Artifact<string> }> {
  let pseudocode = first;
  for (let revision = 0; ; revision++) {
    const input = {
      log: planning.log.content,
      brief: briefOf(context, planning),
      agents: cardsFor(context, planning, plan, true),
      pseudocode: pseudocode.content,
    };
    const { content } = await context.perform(verifyPseudocode, input, [planning.log, planning.gherkin, pseudocode]);
    if (content.accepted || !plan) return { pseudocode, ...VERIFIED };
    const reason = content.reason ?? "no reason was given";
    if (revision === context.options.max_pseudocode_revisions) {
      return { pseudocode, ...atLimit(context, { because: "max_pseudocode_revisions", reason }, "pseudocode") };
    }
    pseudocode = await pseudocodeFor(context, planning, plan, {
      pseudocode: pseudocode.content,
      response: null,
      reason,
    });
  }
}

async function makePlan(
  context: Context,
  planning: PlanningInput,
): Promise<{ plan: Artifact<Plan>; stop: Stop | null }> {
  const { agents, requirement, gherkin } = planning;
  let mistake: DecomposeTaskInput["mistake"] = null;
  for (let revision = 0; ; revision++) {
    const brief = briefOf(context, planning);
    // The Gherkin says what must come out, and not who does it: only the paper's expert plans by it.
    const input: DecomposeTaskInput = { brief: context.isPaper ? brief : { ...brief, gherkin: null }, agents, mistake };
    const plan: Artifact<Plan> = await context.perform(decomposeTask, input, [requirement, gherkin]);
    const unknown = unknownAgents(plan.content, agents);
    if (unknown.length === 0) return { plan, stop: null };
    const cleaned = withoutUnknownAlternatives(plan.content, agents);
    if (cleaned) {
      const by = { action: "drop_unknown_agents", role: "task_decomposition_expert", inputs: [plan] };
      return { plan: await context.publish("task_plan", cleaned, by), stop: null };
    }
    if (revision === PLAN_REVISIONS) {
      const reason = unknown.map(({ name, nearest }) => `"${name}" is no agent; nearest are ${nearest.join(", ")}.`);
      return { plan, stop: { because: "unknown_agents", reason: reason.join(" ") } };
    }
    mistake = { plan: plan.content, unknown };
  }
}

function pseudocodeFor(
  context: Context,
  planning: PlanningInput,
  plan: Artifact<Plan>,
  revision: WritePseudocodeInput["revision"],
): Promise<Artifact<string>> {
  const input = {
    brief: briefOf(context, planning),
    agents: cardsFor(context, planning, plan, revision !== null),
    plan: plan.content,
    revision,
  };
  return context.perform(writePseudocode, input, [planning.requirement, planning.gherkin, plan]);
}

/** The agents whose cards a designer sees: those of the plan, with the alternatives where they may be used; the paper's designers see all. */
function cardsFor(
  context: Context,
  { agents }: PlanningInput,
  plan: Artifact<Plan> | null,
  alternatives: boolean,
): AgentProfile[] {
  return context.isPaper || !plan ? agents : agentsOfPlan(plan.content, agents, { alternatives });
}
