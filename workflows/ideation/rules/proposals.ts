import { SECTIONS, type Proposal, type ProposalCheck } from "../artifacts";

type Section = (typeof SECTIONS)[number];

/** A sentence for each finding whose quote does not stand exactly once in its section. */
export function quoteErrors({ findings }: ProposalCheck, proposal: Proposal): string[] {
  return findings.flatMap(({ section, quote }) => {
    const times = textsOf(proposal[section]).reduce((sum, text) => sum + text.split(quote).length - 1, 0);
    if (quote.trim() !== "" && times === 1) return [];
    return [
      times > 1
        ? `"${quote}" stands ${times} times in \`${section}\`; copy a longer passage, which is there once.`
        : `\`${section}\` does not say "${quote}"; copy a part of it letter by letter.`,
    ];
  });
}

/** Properties that are ids, not words. */
const IDS = ["paper"];

/** All texts of a section. */
function textsOf(section: unknown): string[] {
  if (typeof section === "string") return [section];
  if (typeof section !== "object" || section === null) return [];
  return Object.entries(section).flatMap(([name, value]) => (IDS.includes(name) ? [] : textsOf(value)));
}

/** A section with each of its texts changed. */
function changed<T>(section: T, change: (text: string) => string): T {
  if (typeof section === "string") return change(section) as T;
  if (Array.isArray(section)) return section.map((entry) => changed(entry, change)) as T;
  if (typeof section !== "object" || section === null) return section;
  const entries = Object.entries(section).map(([name, value]) => [
    name,
    IDS.includes(name) ? value : changed(value, change),
  ]);
  return Object.fromEntries(entries) as T;
}

/** The proposal as its last reader leaves it: each invalid passage replaced. A passage that an earlier finding has changed stays as it is. */
export function revisedProposal(proposal: Proposal, check: ProposalCheck): Proposal {
  const result: Record<Section, unknown> & Proposal = { ...proposal };
  for (const { section, quote, instead } of check.findings)
    if (typeof instead === "string")
      // A function: `instead` may hold `$`, which a replacement text would interpret.
      result[section] = changed(result[section], (text) => text.replace(quote, () => instead)) as never;
  return result;
}

/** Sections that a check changes, as they are afterwards. */
export const changedSections = (proposal: Proposal, check: ProposalCheck): Partial<Proposal> => {
  const after = revisedProposal(proposal, check);
  return Object.fromEntries(check.findings.map(({ section }) => [section, after[section]]));
};
