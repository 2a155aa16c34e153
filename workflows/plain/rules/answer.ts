import { type FunctionCall, type FunctionSpec, readCalls } from "#workflow-kit/functions";

/** The forms of an answer: the whole reply, a last line, or a last block of JSON. */
export const FORMS = ["text", "line", "json"] as const;
export type Form = (typeof FORMS)[number];

/** What a reply holds. */
export interface ReadReply {
  /** null: the reply lacks the form that was asked for. */
  answer: string | null;
  answer_json?: unknown;
  calls?: FunctionCall[];
}

/** The answer of a reply. It is never asked for again: a reply without the form has no answer. */
export function readReply(
  reply: string,
  { form, labels, functions }: { form: Form; labels: readonly string[] | null; functions: readonly FunctionSpec[] },
): ReadReply {
  if (functions.length) {
    const block = lastJson(reply) as { calls?: unknown } | undefined;
    const { calls, errors } = readCalls(block?.calls, functions);
    return { answer: errors.length ? null : reply.trim(), calls };
  }
  if (form === "text") return { answer: reply.trim() || null };
  if (form === "line") return { answer: lastLine(reply, labels) };
  const answer_json = lastJson(reply);
  return answer_json === undefined ? { answer: null } : { answer: JSON.stringify(answer_json), answer_json };
}

const withoutMarkup = (text: string): string => text.replace(/^[\s*_`"'(]+|[\s*_`"').]+$/gu, "");

/** The text after the last `Answer:` at the start of a line; of choices their label. */
function lastLine(reply: string, labels: readonly string[] | null): string | null {
  const lines = reply.split("\n").flatMap((line) => /^[\s*_`>#]*answer[\s*_`]*[:：](.*)$/iu.exec(line)?.[1] ?? []);
  const answer = withoutMarkup(lines.at(-1) ?? "");
  if (answer === "" || labels === null) return answer || null;
  const named = (text: string) => labels.find((label) => label.toLowerCase() === text.toLowerCase()) ?? null;
  const start = /^(\S+?)[).:]*(?:\s|$)/u.exec(answer)?.[1];
  return named(answer) ?? (start === undefined ? null : named(start));
}

/** The value of the last fenced block of JSON, or of a reply that is JSON as a whole; undefined: there is none. */
function lastJson(reply: string): unknown {
  for (const text of [lastBlock(reply), reply])
    try {
      if (text !== undefined) return JSON.parse(text);
    } catch {
      // Not JSON: the next one may be.
    }
  return undefined;
}

/** What the last fenced block of a reply holds; undefined: there is none. */
function lastBlock(reply: string): string | undefined {
  let last: string | undefined;
  let block: string[] | null = null;
  for (const line of reply.split("\n")) {
    if (block === null) block = line.includes("```") ? [] : null;
    else if (line.trimStart().startsWith("```")) {
      last = block.join("\n");
      block = null;
    } else block.push(line);
  }
  return last;
}
