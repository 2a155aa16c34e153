/** How an execution failed: by the sandbox, or by returning nothing that can be an answer. */
export interface Failure {
  kind: string;
  name: string;
  message: string;
  line: number | null;
  column: number | null;
  stack: string;
}

/** Takes the program out of an answer that wraps it in words or in a code block. */
export function programOf(text: string): string {
  const fenced = [...text.matchAll(/^```[^\n]*\n([\s\S]*?)^```\s*$/gm)].map(([, inner]) => inner!.trim());
  const main = fenced.find((inner) => /\bexport\s+default\b/.test(inner));
  return main ?? (fenced.length && !/\bexport\s+default\b/.test(text) ? fenced.join("\n\n") : text.trim());
}

/** Takes the pseudocode out of an answer that wraps it in words around one code block. */
export function pseudocodeOf(text: string): string {
  const fenced = [...text.matchAll(/^```[^\n]*\n([\s\S]*?)^```\s*$/gm)].map(([, inner]) => inner!);
  return (fenced.length === 1 ? fenced[0]! : text).trim();
}

/** Two failures are the same when they tell of the same thing, wherever in the program, and with whatever numbers. */
export function sameFailure(one: Failure, other: Failure): boolean {
  return signature(one) === signature(other);
}

const signature = ({ kind, name, message }: Failure): string =>
  [kind, name, message.replace(/\d+/g, "#").replace(/\s+/g, " ").trim().toLowerCase()].join("|");

/** The lines around the place of a failure, with their numbers; empty when the place is not known. */
export function excerpt(source: string, line: number | null): string {
  if (line === null) return "";
  const lines = source.split("\n");
  const from = Math.max(0, line - 3);
  return lines
    .slice(from, line + 2)
    .map((text, index) => `${from + index + 1 === line ? ">" : " "} ${from + index + 1} | ${text}`)
    .join("\n");
}
