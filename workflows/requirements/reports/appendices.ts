import { bullets, inline, sections, table } from "#workflow-kit/markdown";
import type { RequirementModel, Smell } from "../artifacts";
import { numberingRows, type Numbering } from "../rules/renumbering";

/** What a specification is put together from. */
export interface SpecificationParts {
  /** The Documenter's text, with lines such as `[[R1, R2]]` and `[[model: Element | Kind]]`. */
  text: string;
  /** The template that the text follows: tables that it asks for are added when the text lost them. */
  template: string;
  draft: string;
  model: RequirementModel;
  /** Findings of the last check: with `accepted` they are remarks, else they stand in the way. */
  findings: readonly Smell[];
  accepted: boolean;
  iteration: number;
}

const findingText = ({ location, severity, explanation }: Smell): string =>
  `**${inline(location)}** (${severity}): ${inline(explanation)}`;

/** Findings with which a check accepted and that the Documenter put nothing right at; its report has them all. */
export function remarks({ accepted, findings }: SpecificationParts, reworded: ReadonlySet<string>): string | null {
  const open = findings.filter(({ location }) => !reworded.has(location.trim()));
  if (!accepted || open.length === 0) return null;
  return sections(
    "## Known weaknesses",
    "The check accepted draft and model although it found these points.",
    bullets(open.map(findingText)),
  );
}

/** How draft, model and earlier checks number the requirements that have another number here. */
export const numbers = (numbering: Numbering): string | null =>
  numbering.size === 0
    ? null
    : sections(
        "## Numbers in the draft",
        "Draft, model and earlier checks number these requirements differently.",
        table(["In the draft", "Here"], numberingRows(numbering)),
      );

export function markedAsNotAccepted(document: string, { findings, iteration }: SpecificationParts): string {
  const mark = `> **Not accepted.** Check ${iteration} found ${findings.length === 1 ? "one error" : `${findings.length} errors`}. See the end of this document.`;
  const [title, ...rest] = document.split("\n");
  const marked = title!.startsWith("#") ? [title!, "", mark, ...rest] : [mark, "", title!, ...rest];
  return sections(marked.join("\n"), "## Open findings", bullets(findings.map(findingText)));
}
