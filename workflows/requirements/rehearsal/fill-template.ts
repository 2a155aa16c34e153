/** A section of a document: a pattern of its heading, and its Markdown. */
export interface Section {
  heading: RegExp;
  content: string;
}

/**
 * Puts sections under the matching headings of a template, and drops the template's hints. A heading without a section and without
 * subheadings says so. Sections of `needed` without a matching heading are appended under their own headings.
 */
export function fillTemplate(
  template: string,
  name: string,
  sections: readonly Section[],
  needed: readonly { title: string; section: Section }[],
): string {
  const headings = template.split("\n").filter((row) => /^#{1,6}\s+\S/u.test(row));
  const used = new Set<Section>();
  const blocks = headings.map((row, index) => {
    const [, marks, title] = /^(#{1,6})\s+(.*?)\s*$/u.exec(row)!;
    const heading = `${marks} ${title!.replace(/\([^)]*name[^)]*\)/iu, name)}`;
    const below = (/^(#{1,6})\s/u.exec(headings[index + 1] ?? "")?.[1]?.length ?? 0) > marks!.length;
    if (marks === "#" && below) return heading; // the document's own title
    const section = (below ? needed.map((one) => one.section) : sections).find(
      (one) => !used.has(one) && one.heading.test(title!),
    );
    if (section) used.add(section);
    if (!section && below) return heading;
    return `${heading}\n\n${section?.content ?? "Nothing was said on this."}`;
  });
  const rest = needed
    .filter(({ section }) => !used.has(section))
    .map(({ title, section }) => `## ${title}\n\n${section.content}`);
  const start = headings[0]?.startsWith("# ") ? [] : [`# ${name}`];
  return [...start, ...blocks, ...rest].join("\n\n");
}

/** A Markdown table; characters that would break it are removed from its cells. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replace(/[|\n]/gu, " ")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

export const bullets = (lines: readonly string[], otherwise = "None."): string =>
  lines.length > 0 ? lines.map((line) => `- ${line}`).join("\n") : otherwise;
