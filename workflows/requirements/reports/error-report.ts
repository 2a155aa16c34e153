import { inline, sections } from "#workflow-kit/markdown";
import { listed } from "#workflow-kit/text";
import { SEVERITIES, type Smell } from "../artifacts";

const FIXED_BY = { draft: "the Collector", model: "the Modeler", both: "the Collector and the Modeler" } as const;

/** The findings of a check, the most severe first, and who has to put them right. In English but for the findings. */
export function errorReport(smells: readonly Smell[], iteration: number): string {
  const bySeverity = SEVERITIES.toReversed();
  const sorted = smells.toSorted((one, other) => bySeverity.indexOf(one.severity) - bySeverity.indexOf(other.severity));
  const counts = bySeverity.flatMap((severity) => {
    const count = smells.filter((smell) => smell.severity === severity).length;
    return count > 0 ? [`${count} ${severity}`] : [];
  });
  const errors = sorted.map(
    ({ location, kind, severity, explanation, concerns }, index) =>
      `${index + 1}. **${inline(location)}** (${kind}, ${severity}): ${inline(explanation)} To be put right by ${FIXED_BY[concerns]}.`,
  );
  return sections(
    `# Error report, check ${iteration}`,
    `The check found ${smells.length} error${smells.length === 1 ? "" : "s"}: ${listed(counts)}.`,
    errors.join("\n"),
  );
}
