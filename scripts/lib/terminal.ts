import { createInterface } from "node:readline/promises";
import { styleText } from "node:util";

/** A person can answer questions on this terminal. */
export const interactive = Boolean(process.stdin.isTTY && process.stdout.isTTY);

/** Colours only on a terminal, and never with NO_COLOR. */
const style = (format: Parameters<typeof styleText>[0]) => (text: string) =>
  styleText(format, text, { stream: process.stdout });
export const bold = style("bold");
export const dim = style("dim");
export const green = style("green");
export const yellow = style("yellow");
export const red = style("red");

export const say = (text = "") => void process.stdout.write(`${text}\n`);

/** Indents every line that is not empty. */
export const indent = (text: string, by = 2) => text.replace(/^(?=.)/gm, " ".repeat(by));

/** Milliseconds as seconds. */
export const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/** Rows in columns as wide as their widest cell. */
export function table(head: string[], rows: string[][]) {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => (row[column] ?? "").length)));
  const line = (row: string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return [dim(line(head)), ...rows.map(line)].join("\n");
}

/** The same rows as a Markdown table. */
export const markdownTable = (head: readonly unknown[], rows: readonly (readonly unknown[])[]) =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

/** Asks the person at the terminal for a line. */
export async function ask(prompt: string, signal: AbortSignal) {
  const line = createInterface({ input: process.stdin, output: process.stdout });
  // In line mode the terminal gives Ctrl-C to readline, and sends no signal.
  line.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  try {
    return (await line.question(prompt, { signal })).trim();
  } finally {
    line.close();
  }
}
