import { createInterface } from "node:readline/promises";
import { styleText } from "node:util";

/** A person sits there and can be asked. */
export const interactive = Boolean(process.stdin.isTTY && process.stdout.isTTY);

/** Colours on a terminal only, and not where NO_COLOR is set. */
const style = (format) => (text) => styleText(format, text, { stream: process.stdout });
export const bold = style("bold");
export const dim = style("dim");
export const green = style("green");
export const yellow = style("yellow");
export const red = style("red");

export const say = (text = "") => process.stdout.write(`${text}\n`);

/** Every line moved to the right. */
export const indent = (text, by = 2) => text.replace(/^(?=.)/gm, " ".repeat(by));

/** Milliseconds as seconds. */
export const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

/**
 * Rows in columns as wide as their widest cell.
 * @param {string[]} head
 * @param {string[][]} rows
 */
export function table(head, rows) {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => (row[column] ?? "").length)));
  const line = (row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return [dim(line(head)), ...rows.map(line)].join("\n");
}

/** The same as Markdown. */
export const markdownTable = (head, rows) =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

/**
 * Asks whoever sits there; Enter takes the suggestion.
 * @param {string} prompt
 * @param {AbortSignal} signal
 */
export async function ask(prompt, signal) {
  const line = createInterface({ input: process.stdin, output: process.stdout });
  // A terminal in line mode hands Ctrl-C to readline instead of signalling us.
  line.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  try {
    return (await line.question(prompt, { signal })).trim();
  } finally {
    line.close();
  }
}
