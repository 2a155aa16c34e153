import type { Feedback } from "#workflow-kit/action";
import { quoted } from "#workflow-kit/text";
import { LAYERS, type ErrorReport, type Layer } from "../artifacts";
import { otherLayer, type AnalyzeErrorInput, type Evidence, type FixPseudocodeInput } from "../inputs";
import { findAgent } from "../rules/registry";

const failedCall = ({ calls }: Evidence) => calls.find(({ ok }) => !ok);

/** @param outcome the layer to blame, or `by_evidence`: design when an agent failed, else implementation */
export function mockAnalysis(
  { agents, evidence, blamed_before }: AnalyzeErrorInput,
  outcome: string,
  feedback?: Feedback<ErrorReport>,
): ErrorReport {
  const failed = failedCall(evidence);
  const agentFailed = failed !== undefined && findAgent(agents, failed.agent) !== undefined;
  const byEvidence: Layer = agentFailed ? "design" : "implementation";
  const scripted = LAYERS.find((layer) => layer === outcome);
  const { kind, message, line } = evidence.failure;
  const where = line === null ? "" : ` in line ${line}`;
  const because = failed ? ` "${failed.agent}" failed: ${quoted(failed.value, 160)}.` : "";
  const remark = feedback ? ` A person remarks: ${quoted(feedback.comment, 160)}.` : "";
  return {
    error_aspect: scripted ?? (blamed_before ? otherLayer(blamed_before) : byEvidence),
    error_description: `The program ended with ${kind}${where}: ${quoted(message, 200)}.${because}${remark}`,
  };
}

/**
 * The pseudocode with an alternative agent in place of the failed one.
 * @param outcome `no_fix`: the pseudocode is unchanged
 */
export function mockFixedPseudocode(
  { agents, plan, pseudocode, evidence, report }: FixPseudocodeInput,
  outcome: string,
  feedback?: Feedback<string>,
): string {
  if (outcome === "no_fix") return pseudocode;
  const failed = failedCall(evidence);
  const task = plan?.tasks.find(({ primary_agent }) => primary_agent === failed?.agent);
  const instead = task?.alternative_agents[0] ?? agents.find(({ name }) => name !== failed?.agent)?.name;
  const replaced = failed && instead ? pseudocode.replaceAll(`ask "${failed.agent}"`, `ask "${instead}"`) : pseudocode;
  const remark = feedback ? `\n\nnote: ${quoted(feedback.comment, 160)}` : "";
  return `${replaced}\n\nnote: repaired, because: ${quoted(report.error_description, 200)}${remark}`;
}
