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
export function codeBlocks(text: string): string[] {
  const blocks: string[] = [];
  let block: string[] | null = null;
  for (const line of text.split("\n")) {
    if (block === null) block = line.startsWith("```") ? [] : null;
    else if (line.startsWith("```") && line.trim() === "```") {
      blocks.push(block.map((inner) => `${inner}\n`).join(""));
      block = null;
    } else block.push(line);
  }
  return blocks;
}

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

/** A failure with its place: what two failures must have in common to be the same. */
export interface Symptom {
  failure: Failure;
  /** The line of the program at which it failed, without blanks around it; empty when unknown. Its number changes with every repair. */
  source_line: string;
  /** The agent whose call failed last, when an agent's failure ended the program; else null. */
  agent: string | null;
}

export const symptomOf = (
  failure: Failure,
  code: string,
  calls: readonly { agent: string; ok: boolean }[],
): Symptom => ({
  failure,
  source_line: failure.line === null ? "" : (code.split("\n")[failure.line - 1] ?? "").trim(),
  agent: failure.name === AGENT_ERROR ? (calls.findLast(({ ok }) => !ok)?.agent ?? null) : null,
});

/** The name of the error by which a program learns that an agent failed. */
const AGENT_ERROR = "AgentError";

/**
 * Whether a failure came back. An agent words its refusals anew each time, so its failures are the same when the agent is; all others have the
 * same kind, name, message and line of source.
 */
export function sameFailure(one: Symptom, other: Symptom): boolean {
  if (one.agent !== null || other.agent !== null) return one.agent === other.agent;
  const signature = ({ failure: { kind, name, message }, source_line }: Symptom) =>
    [kind, name, message.replace(/\s+/g, " ").trim(), source_line].join("|");
  return signature(one) === signature(other);
}

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
