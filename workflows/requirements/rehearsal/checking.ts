import type { Feedback } from "#workflow-kit/action";
import type { CheckMessage, Criteria, Smell } from "../artifacts";
import { blocks } from "../rules/acceptance";
import type { CheckRequirementInput, DeriveAcceptanceCriteriaInput, WriteCheckReportInput } from "../inputs";
import { understandIdea } from "./interview";
import { at, capitalized, listed, quoted } from "#workflow-kit/text";

export function rehearseCriteria({ idea }: DeriveAcceptanceCriteriaInput, feedback?: Feedback<Criteria>): Criteria {
  const { name, actors, features } = understandIdea(idea);
  const criteria = [
    {
      name: "Correctness",
      description: `Every requirement serves "${name}" as the idea describes it; none goes beyond it.`,
    },
    {
      name: "Completeness of people",
      description: `Every requirement says whom it serves, and ${listed(actors.map((actor) => `the ${actor}`))} can do what the idea promises.`,
    },
    {
      name: "Completeness of functions",
      description: `These are covered, failure included: ${listed(features.slice(0, 5).map(({ does }) => does))}.`,
    },
    {
      name: "Consistency",
      description: "No requirement contradicts another, one thing has one name, and draft and model agree.",
    },
    {
      name: "Verifiability",
      description: "Every requirement can be shown to be met or not met; qualities carry figures.",
    },
  ];
  if (feedback) criteria.push({ name: "Remark from review", description: quoted(feedback.comment) });
  return { criteria };
}

const SMELLS = [
  {
    kind: "ambiguous",
    severity: "major",
    says: (text: string) => `"${text}" can be read in two ways: it is open who starts it and when it is over.`,
  },
  {
    kind: "incomplete",
    severity: "major",
    says: (text: string) => `"${text}" does not say what happens when it fails.`,
  },
  {
    kind: "unverifiable",
    severity: "minor",
    says: (text: string) => `"${text}" has no figure by which a test could fail it.`,
  },
  {
    kind: "inconsistent",
    severity: "critical",
    says: (text: string) => `"${text}" uses another name than the model for the same thing.`,
  },
] as const satisfies readonly { kind: Smell["kind"]; severity: Smell["severity"]; says(text: string): string }[];

/** @param outcome `accept_minor` names one minor smell, `reject` other smells in each iteration, `reject_same` always the same */
export function rehearseCheck(
  input: CheckRequirementInput,
  outcome: string,
  feedback?: Feedback<CheckMessage>,
): CheckMessage {
  const { draft, iteration, earlier, accept_at } = input;
  const smells: Smell[] = [];
  if (outcome === "accept_minor") smells.push({ ...smellAt(draft, 2, 1), severity: "minor" });
  else if (outcome === "reject_same" && earlier) smells.push(...earlier);
  else if (outcome !== "accept") {
    const turn = outcome === "reject_same" ? 0 : iteration - 1;
    const first = smellAt(draft, turn, 1);
    smells.push(accept_at === "major" ? { ...first, severity: "critical" } : first, smellAt(draft, turn + 1, 2));
  }
  if (feedback) {
    smells.push({
      id: `s${smells.length + 1}`,
      kind: "other",
      location: "review",
      concerns: "both",
      explanation: `A person remarks: ${quoted(feedback.comment)}.`,
      severity: input.accept_at === "major" ? "critical" : "major",
    });
  }
  const isSame = outcome === "reject_same";
  const lookedBack = (earlier ?? []).map(({ id }) => ({ id, put_right: !isSame }));
  const accepted = !smells.some(({ severity }) => blocks(severity, input));
  const compared = `Draft and model were compared with ${input.criteria.length} criteria; ${smells.length} do not hold everywhere.`;
  const review = earlier
    ? `${compared} Changed since the last check: ${listed(input.changed) || "nothing"}.`
    : compared;
  return { review, earlier: lookedBack, smells, accepted };
}

function smellAt(draft: string, turn: number, number: number): Smell {
  const requirements = draft.split("\n").flatMap((row) => {
    const [, id, text] = /\b(R\d+)\*{0,2}[:.]?\s+(.+?)(?:\s*\([^)]*\))?(?:\s*\[[^\]]*\])?$/u.exec(row) ?? [];
    return id ? [{ id, text: text! }] : [];
  });
  const { kind, severity, says } = at(SMELLS, turn);
  const found = requirements[turn % Math.max(requirements.length, 1)];
  return {
    id: `s${number}`,
    kind,
    location: found?.id ?? `Part ${turn + 1}`,
    concerns: kind === "inconsistent" ? "both" : "draft",
    explanation: says(quoted(found?.text ?? draft, 100)),
    severity,
  };
}

const GRAVITY: readonly Smell["severity"][] = ["critical", "major", "minor"];

const MENDED_BY = { draft: "the Collector", model: "the Modeler", both: "the Collector and the Modeler" } as const;

export function rehearseReport({ check, iteration }: WriteCheckReportInput, feedback?: Feedback<string>): string {
  const smells = check.smells.toSorted((one, other) => GRAVITY.indexOf(one.severity) - GRAVITY.indexOf(other.severity));
  const counts = GRAVITY.map(
    (severity) => [smells.filter((smell) => smell.severity === severity).length, severity] as const,
  );
  const faults = smells.map(
    ({ kind, location, concerns, explanation, severity }, index) =>
      `${index + 1}. **${quoted(location, 80)}** (${kind}, ${severity}): ${quoted(explanation, 300)}. To be mended by ${MENDED_BY[concerns]}.`,
  );
  return [
    `# Error report, check ${iteration}`,
    `The check found ${smells.length} fault${smells.length === 1 ? "" : "s"}: ${listed(counts.filter(([n]) => n > 0).map(([n, severity]) => `${n} ${severity}`)) || "none named"}.`,
    faults.join("\n") || "The Checker named no fault in particular.",
    ...(feedback ? [capitalized(`${quoted(feedback.comment)} (remarked in review).`)] : []),
  ].join("\n\n");
}
