/** The failure of an execution: reported by the sandbox, or a missing answer. */
export interface Failure {
  kind: string;
  name: string;
  message: string;
  line: number | null;
  column: number | null;
  stack: string;
}

/** Extracts the program from an answer with other text or a code block. */
export function programOf(text: string): string {
  const fenced = [...text.matchAll(/^```[^\n]*\n([\s\S]*?)^```\s*$/gm)].map(([, inner]) => inner!.trim());
  const main = fenced.find((inner) => /\bexport\s+default\b/.test(inner));
  return main ?? (fenced.length && !/\bexport\s+default\b/.test(text) ? fenced.join("\n\n") : text.trim());
}

/** Extracts the pseudocode from an answer with text around one code block. */
export function pseudocodeOf(text: string): string {
  const fenced = [...text.matchAll(/^```[^\n]*\n([\s\S]*?)^```\s*$/gm)].map(([, inner]) => inner!);
  return (fenced.length === 1 ? fenced[0]! : text).trim();
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
