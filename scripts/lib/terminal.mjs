import { createInterface } from "node:readline/promises";
import { styleText } from "node:util";

/** A person can answer questions on this terminal. */
export const interactive = Boolean(process.stdin.isTTY && process.stdout.isTTY);

/** Colours only on a terminal, and never with NO_COLOR. */
const style = (format) => (text) => styleText(format, text, { stream: process.stdout });
export const bold = style("bold");
export const dim = style("dim");
export const green = style("green");
export const yellow = style("yellow");
export const red = style("red");

export const say = (text = "") => process.stdout.write(`${text}\n`);

/** Indents every line that is not empty. */
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

/** The same rows as a Markdown table. */
export const markdownTable = (head, rows) =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

/**
 * Asks the person at the terminal for a line.
 * @param {string} prompt
 * @param {AbortSignal} signal
 */
export async function ask(prompt, signal) {
  const line = createInterface({ input: process.stdin, output: process.stdout });
  // In line mode the terminal gives Ctrl-C to readline, and sends no signal.
  line.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  try {
    return (await line.question(prompt, { signal })).trim();
  } finally {
    line.close();
  }
}
