import type { Artifact } from "#workflow-kit/artifact";
import { analyzeError, fixCode, fixPseudocode } from "../actions";
import type { ErrorReport, Layer, Plan } from "../artifacts";
import { otherLayer, type Evidence, type FailedProgram } from "../inputs";
import { sameFailure, type Failure } from "../rules/program";
import { briefOf, type PlanningInput, type Stop, type StageTeam } from "../context";
import { refinePseudocode } from "./design";

/** A repair of a layer, and the failure that caused it. */
export interface Repair {
  layer: Layer;
  failure: Failure;
}

/** The result of a reflection. When `code` is null, the program is to be rewritten. */
export interface Reflection {
  repair: Repair;
  report: string;
  pseudocode: Artifact<string> | null;
  code: Artifact<string> | null;
  stop: Stop | null;
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
export async function reflect(team: StageTeam, planning: PlanningInput, attempt: FailedAttempt): Promise<Reflection> {
  const { plan, pseudocode, code, evidence } = attempt;
  const failed: FailedProgram = {
    brief: briefOf(team, planning),
    agents: planning.agents,
    pseudocode: pseudocode?.content ?? null,
    code: code.content,
    evidence,
  };
  const report = await blameLayer(team, failed, attempt);
  const { error_aspect: layer, error_description } = report.content;
  const reflection = { repair: { layer, failure: evidence.failure }, report: error_description, stop: null };
  if (layer === "implementation") {
    const input = { ...failed, report: report.content };
    return { ...reflection, pseudocode, code: await team.perform(fixCode, input, [code, pseudocode, report]) };
  }
  // Without a design there is nothing to repair: the program is rewritten.
  if (!pseudocode) return { ...reflection, pseudocode, code: null };
  const input = { ...failed, pseudocode: pseudocode.content, plan: plan?.content ?? null, report: report.content };
  const repaired = await team.perform(fixPseudocode, input, [pseudocode, plan, report]);
  if (!team.options.verify_repaired_pseudocode) return { ...reflection, pseudocode: repaired, code: null };
  return { ...reflection, ...(await refinePseudocode(team, planning, plan, repaired)), code: null };
}

/** The same failure twice in a row means that the wrong layer was repaired: the other layer is then blamed, whatever the Analyst says. */
async function blameLayer(
  team: StageTeam,
  failed: FailedProgram,
  { code, pseudocode, lastRepair }: FailedAttempt,
): Promise<Artifact<ErrorReport>> {
  const isRepeated = lastRepair && sameFailure(lastRepair.failure, failed.evidence.failure);
  const blamed_before = isRepeated ? lastRepair.layer : null;
  const report = await team.perform(analyzeError, { ...failed, blamed_before }, [code, pseudocode]);
  if (report.content.error_aspect !== blamed_before) return report;
  const corrected = { ...report.content, error_aspect: otherLayer(blamed_before) };
  return team.publish("error_report", corrected, { action: "change_layer", role: "error_analyst", inputs: [report] });
}
