import type { Feedback } from "#workflow-kit/action";
import { at, listed, quoted } from "#workflow-kit/text";
import type { CheckMessage, Criteria, Smell } from "../artifacts";
import type { CheckRequirementInput, DeriveAcceptanceCriteriaInput, WriteCheckReportInput } from "../inputs";
import { blocks } from "../rules/acceptance";
import { idLines, letterOf } from "../rules/draft-lines";
import { understandIdea } from "./concept";

export function mockCriteria({ idea }: DeriveAcceptanceCriteriaInput, feedback?: Feedback): Criteria {
  const { name, features } = understandIdea(idea);
  const criteria = [
    { name: "Correctness", description: `Every requirement serves "${name}" as the idea describes it.` },
    { name: "Completeness", description: `Covered, failure included: ${listed(features.map(({ does }) => does))}.` },
    { name: "Consistency", description: "No requirement contradicts another, and draft and model agree." },
    { name: "Verifiability", description: "Every requirement can be shown to be met or not; qualities carry figures." },
  ];
  if (feedback) criteria.push({ name: "Remark from review", description: quoted(feedback.comment) });
  return { criteria };
}

const SMELLS = [
  ["ambiguous", "major", "can be read in two ways: it is open when it is over"],
  ["incomplete", "major", "does not say what happens when it fails"],
  ["unverifiable", "minor", "has no figure by which a test could fail it"],
  ["inconsistent", "critical", "uses another name than the model for the same thing"],
] as const;

/** @param outcome `accept_minor` names one minor smell, `reject` other smells in each iteration, `reject_same` always the same */
export function mockCheck(
  { draft, iteration, earlier, accept_at, criteria, changed }: CheckRequirementInput,
  outcome: string,
  feedback?: Feedback,
): CheckMessage {
  const blocking = accept_at === "major" ? "critical" : "major";
  const turn = outcome === "reject_same" ? 0 : iteration - 1;
  const smells: Smell[] = outcome === "reject_same" && earlier ? [...earlier] : [];
  if (outcome === "accept_minor") smells.push({ ...smellAt(draft, 2, 1), severity: "minor" });
  else if (outcome !== "accept" && smells.length === 0)
    smells.push({ ...smellAt(draft, turn, 1), severity: blocking }, smellAt(draft, turn + 1, 2));
  if (feedback) {
    const explanation = `A person remarks: ${quoted(feedback.comment)}.`;
    smells.push({ ...smellAt(draft, 0, smells.length + 1), location: "review", explanation, severity: blocking });
  }
  return {
    review: `Draft and model were compared with ${criteria.length} criteria; ${smells.length} do not hold everywhere. Changed since the last check: ${listed(changed) || "nothing"}.`,
    earlier: (earlier ?? []).map(({ id }) => ({ id, put_right: outcome !== "reject_same" })),
    smells,
    accepted: !smells.some(({ severity }) => blocks(severity, { accept_at })),
  };
}

function smellAt(draft: string, turn: number, number: number): Smell {
  const requirements = idLines(draft).filter(({ id }) => letterOf(id) === "R");
  const [kind, severity, says] = at(SMELLS, turn);
  const location = requirements[turn % Math.max(requirements.length, 1)]?.id ?? `Part ${turn + 1}`;
  return { id: `s${number}`, kind, location, concerns: "draft", explanation: `${location} ${says}.`, severity };
}

export function mockReport({ check, iteration }: WriteCheckReportInput, feedback?: Feedback): string {
  const faults = check.smells.map(
    ({ kind, location, explanation, severity }, index) =>
      `${index + 1}. **${quoted(location, 80)}** (${kind}, ${severity}): ${quoted(explanation, 300)}.`,
  );
  const heeded = feedback ? `\n\nRemarked in review: ${quoted(feedback.comment)}.` : "";
  return `# Error report, check ${iteration}\n\n${faults.join("\n") || "The Checker named no fault."}${heeded}`;
}
