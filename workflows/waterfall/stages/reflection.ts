import type { Artifact } from "#workflow-kit/artifact";
import { analyzeError, fixCode, fixPseudocode } from "../actions";
import type { ErrorReport, Layer, Plan } from "../artifacts";
import { otherLayer, type Evidence, type FailedProgram } from "../inputs";
import { agentsForProgram, agentsOfPlan } from "../rules/registry";
import { sameFailure, symptomOf, type Symptom } from "../rules/program";
import { briefOf, VERIFIED, type Ending, type PlanningInput, type Context } from "../context";
import { refinePseudocode } from "./design";

/** A repair of a layer, and the failure that caused it. */
export interface Repair {
  layer: Layer;
  symptom: Symptom;
}

/** The result of a reflection. When `code` is null, the program is to be rewritten. */
export interface Reflection extends Ending {
  repair: Repair;
  report: string;
  pseudocode: Artifact<string> | null;
  code: Artifact<string> | null;
}

export interface FailedAttempt {
  plan: Artifact<Plan> | null;
  pseudocode: Artifact<string> | null;
  code: Artifact<string>;
  evidence: Evidence;
  /** The repair just before this execution. */
  lastRepair: Repair | null;
}

/** Reflection (WaAgents, 3.4): the Error Analyst blames a layer, and its Fixer repairs it. */
export async function reflect(context: Context, planning: PlanningInput, attempt: FailedAttempt): Promise<Reflection> {
  const { plan, pseudocode, code, evidence } = attempt;
  const failed: FailedProgram = {
    brief: briefOf(context, planning),
    ...agentsFor(context, planning, attempt),
    pseudocode: pseudocode?.content ?? null,
    code: code.content,
    evidence,
  };
  const symptom = symptomOf(evidence.failure, code.content, evidence.calls);
  const report = await blameLayer(context, failed, attempt, symptom);
  const { error_aspect: layer, error_description } = report.content;
  const reflection = { repair: { layer, symptom }, report: error_description, ...VERIFIED };
  if (layer === "implementation") {
    const input = { ...failed, report: report.content };
    return { ...reflection, pseudocode, code: await context.perform(fixCode, input, [code, pseudocode, report]) };
  }
  // Without a design there is nothing to repair: the program is rewritten.
  if (!pseudocode) return { ...reflection, pseudocode, code: null };
  const input = { ...failed, pseudocode: pseudocode.content, plan: plan?.content ?? null, report: report.content };
  const repaired = await context.perform(fixPseudocode, input, [pseudocode, plan, report]);
  if (!context.options.verify_repaired_pseudocode) return { ...reflection, pseudocode: repaired, code: null };
  return { ...reflection, ...(await refinePseudocode(context, planning, plan, repaired)), code: null };
}

/** The agents with a part in a failed program, with their alternatives, and the others; the paper's experts see all alike. */
function agentsFor(
  context: Context,
  { agents: all }: PlanningInput,
  { plan, pseudocode }: FailedAttempt,
): Pick<FailedProgram, "agents" | "others"> {
  if (context.isPaper || !plan) return { agents: all, others: [] };
  const planned = agentsOfPlan(plan.content, all, { alternatives: true });
  const used = agentsForProgram(all, plan.content, pseudocode?.content ?? null);
  const agents = [...new Set([...planned, ...used])];
  return { agents, others: all.filter((agent) => !agents.includes(agent)) };
}

/**
 * The same failure at the same place after a repair means that the wrong layer was repaired: the other layer is then blamed, whatever the Analyst
 * says. The paper has no such rule.
 */
async function blameLayer(
  context: Context,
  failed: FailedProgram,
  { code, pseudocode, lastRepair }: FailedAttempt,
  symptom: Symptom,
): Promise<Artifact<ErrorReport>> {
  const isRepeated = lastRepair && !context.isPaper && sameFailure(lastRepair.symptom, symptom);
  const blamed_before = isRepeated ? lastRepair.layer : null;
  const report = await context.perform(analyzeError, { ...failed, blamed_before }, [code, pseudocode]);
  if (report.content.error_aspect !== blamed_before) return report;
  const corrected = { ...report.content, error_aspect: otherLayer(blamed_before) };
  return context.publish("error_report", corrected, {
    action: "change_layer",
    role: "error_analyst",
    inputs: [report],
  });
}
