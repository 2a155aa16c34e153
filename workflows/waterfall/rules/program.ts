/** The failure of an execution: reported by the sandbox, or a missing answer. */
export interface Failure {
  kind: string;
  name: string;
  message: string;
  line: number | null;
  column: number | null;
  stack: string;
}

/** The contents of the code blocks of a Markdown text. */
export const codeBlocks = (text: string): string[] =>
  [...text.matchAll(/^```[^\n]*\n([\s\S]*?)^```\s*$/gm)].map(([, inner]) => inner!);

/** Extracts the program from an answer with other text or a code block. */
export function programOf(text: string): string {
  const blocks = codeBlocks(text).map((block) => block.trim());
  const main = blocks.find((block) => /\bexport\s+default\b/.test(block));
  return main ?? (blocks.length && !/\bexport\s+default\b/.test(text) ? blocks.join("\n\n") : text.trim());
}

/** Extracts the pseudocode from an answer with text around one code block. */
export function pseudocodeOf(text: string): string {
  const blocks = codeBlocks(text);
  return (blocks.length === 1 ? blocks[0]! : text).trim();
}

/** Whether two failures have the same kind, name and message, apart from numbers and the place in the program. */
export const sameFailure = (failure: Failure, other: Failure): boolean => signature(failure) === signature(other);

const signature = ({ kind, name, message }: Failure): string =>
  [kind, name, message.replace(/\d+/g, "#").replace(/\s+/g, " ").trim().toLowerCase()].join("|");

/** The lines around a failure, with their numbers; empty when the line is unknown. */
export function excerpt(source: string, line: number | null): string {
  if (line === null) return "";
  const lines = source.split("\n");
  const from = Math.max(0, line - 3);
  return lines
    .slice(from, line + 2)
    .map((text, index) => `${from + index + 1 === line ? ">" : " "} ${from + index + 1} | ${text}`)
    .join("\n");
}
