/** A part of a document: a pattern of its heading, and its Markdown. */
export type Section = readonly [heading: RegExp, content: string];

/** Headings of functional and of quality requirements. */
export const FUNCTIONS = /^(?!.*non-?functional).*(function|feature|capabilit|^requirements$)/iu;
export const QUALITIES = /qualit|non-?functional|performance|security/iu;

/** Puts sections under the matching headings of a template, without its hints. Those of `needed` that match none get their own headings. */
export function fillTemplate(
  template: string,
  name: string,
  sections: readonly Section[],
  needed: Readonly<Record<string, Section>>,
): string {
  const headings = template.split("\n").filter((row) => /^#{1,6}\s+\S/u.test(row));
  const level = (row = "") => /^#*/u.exec(row)![0].length;
  const used = new Set<Section>();
  const blocks = headings.map((row, index) => {
    const heading = row.trimEnd().replace(/\([^)]*name[^)]*\)/iu, name);
    const isAbove = level(headings[index + 1]) > level(row);
    if (level(row) === 1 && isAbove) return heading; // the document's own title
    const candidates = isAbove ? Object.values(needed) : sections;
    const section = candidates.find((one) => !used.has(one) && one[0].test(row.replace(/^#+\s+/u, "").trim()));
    if (section) used.add(section);
    return !section && isAbove ? heading : `${heading}\n\n${section?.[1] ?? "Nothing beyond the requirements."}`;
  });
  const rest = Object.entries(needed).filter(([, section]) => !used.has(section));
  const start = headings[0]?.startsWith("# ") ? [] : [`# ${name}`];
  return [...start, ...blocks, ...rest.map(([title, [, content]]) => `## ${title}\n\n${content}`)].join("\n\n");
}

export const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join("\n") || "None.";
