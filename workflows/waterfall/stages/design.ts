import type { Artifact } from "#workflow-kit/artifact";
import { decomposeTask, verifyPseudocode, writePseudocode } from "../actions";
import type { Plan } from "../artifacts";
import type { DecomposeTaskInput, WritePseudocodeInput } from "../inputs";
import { agentsOf, unknownAgents } from "../rules/registry";
import { briefOf, type PlanningInput, type Stop, type StageTeam } from "../context";

/** A plan that names agents which are not there goes back to its maker, up to this often. */
const PLAN_REVISIONS = 2;

export interface Design {
  plan: Artifact<Plan>;
  /** null when there is no plan to go by. */
  pseudocode: Artifact<string> | null;
  stop: Stop | null;
}

/** Design (WaAgents, 3.2): a plan over the agents of the registry, and a pseudocode that the verifier accepts. */
export async function design(team: StageTeam, desk: PlanningInput): Promise<Design> {
  const { plan, stop } = await makePlan(team, desk);
  if (stop) return { plan, pseudocode: null, stop };
  const pseudocode = await write(team, desk, plan, null);
  return { plan, ...(await verified(team, desk, plan, pseudocode)) };
}

/** The design again, after the response that it led to was rejected. */
export async function redesign(
  team: StageTeam,
  desk: PlanningInput,
  plan: Artifact<Plan>,
  rejected: { pseudocode: Artifact<string>; response: string; reason: string },
): Promise<Design> {
  const { pseudocode, response, reason } = rejected;
  const revised = await write(team, desk, plan, { pseudocode: pseudocode.content, response, reason });
  if (!team.options.verify_repaired_pseudocode) return { plan, pseudocode: revised, stop: null };
  return { plan, ...(await verified(team, desk, plan, revised)) };
}

/** Has a pseudocode judged and written anew until it is accepted, or the limit is met. */
export async function verified(
  team: StageTeam,
  desk: PlanningInput,
  plan: Artifact<Plan> | null,
  first: Artifact<string>,
): Promise<{ pseudocode: Artifact<string>; stop: Stop | null }> {
  let pseudocode = first;
  for (let revision = 0; ; revision++) {
    const input = { log: desk.log.content, brief: briefOf(team, desk), pseudocode: pseudocode.content };
    const { content } = await team.perform(verifyPseudocode, input, [desk.log, desk.gherkin, pseudocode]);
    if (content.accepted || !plan) return { pseudocode, stop: null };
    const reason = content.reason ?? "no reason was given";
    if (revision === team.options.max_pseudocode_revisions) {
      return { pseudocode, stop: { because: "max_pseudocode_revisions", reason } };
    }
    pseudocode = await write(team, desk, plan, { pseudocode: pseudocode.content, response: null, reason });
  }
}

async function makePlan(team: StageTeam, desk: PlanningInput): Promise<{ plan: Artifact<Plan>; stop: Stop | null }> {
  const { agents, requirement, gherkin } = desk;
  let mistake: DecomposeTaskInput["mistake"] = null;
  for (let revision = 0; ; revision++) {
    const input: DecomposeTaskInput = { brief: briefOf(team, desk), agents, mistake };
    const plan: Artifact<Plan> = await team.perform(decomposeTask, input, [requirement, gherkin]);
    const unknown = unknownAgents(plan.content, agents);
    if (unknown.length === 0) return { plan, stop: null };
    if (revision === PLAN_REVISIONS) {
      const reason = unknown.map(({ name, nearest }) => `"${name}" is no agent; nearest are ${nearest.join(", ")}.`);
      return { plan, stop: { because: "unknown_agents", reason: reason.join(" ") } };
    }
    mistake = { plan: plan.content, unknown };
  }
}

function write(
  team: StageTeam,
  desk: PlanningInput,
  plan: Artifact<Plan>,
  revision: WritePseudocodeInput["revision"],
): Promise<Artifact<string>> {
  const input = {
    brief: briefOf(team, desk),
    agents: agentsOf(plan.content, desk.agents),
    plan: plan.content,
    revision,
  };
  return team.perform(writePseudocode, input, [desk.requirement, desk.gherkin, plan]);
}
