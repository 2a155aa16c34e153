import { SECTIONS, type Proposal, type ProposalCheck } from "../artifacts";
import { letters } from "./criticisms";

/** A sentence for each finding whose quote does not stand in the proposal. */
export function quoteFaults(findings: ProposalCheck["findings"], proposal: Proposal): string[] {
  const text = letters(SECTIONS.map((name) => textOf(proposal[name])).join(" "));
  return findings
    .filter(({ quote }) => !quote.split(/…|\.{3}/u).every((part) => text.includes(letters(part))))
    .map(({ quote }) => `The proposal does not say "${quote}"; copy a part of it word for word.`);
}

/** All texts of a section, joined. */
function textOf(section: unknown): string {
  if (typeof section === "string") return section;
  if (typeof section !== "object" || section === null) return "";
  return Object.values(section).map(textOf).join(" ");
}

/** The proposal with the sections that the check wrote anew. */
export function mended(proposal: Proposal, check: ProposalCheck): Proposal {
  const anew = SECTIONS.filter((name) => check[name] !== null).map((name) => [name, check[name]]);
  return { ...proposal, ...Object.fromEntries(anew) };
}
