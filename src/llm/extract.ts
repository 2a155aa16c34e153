import { jsonrepair } from "jsonrepair";
import { unfence } from "./code-fences";
import type { OutputMode } from "./types";

/** A reasoning model's `<think>` block before its answer, closed or not. */
const THINKING = /^\s*<think>[\s\S]*?(<\/think>|$)/;

export const withoutThinking = (text: string): string => text.replace(THINKING, "").trim();

/** The `<think>` block; empty when there is none. */
export const thinkingOf = (text: string): string => THINKING.exec(text)?.[0] ?? "";

/**
 * Parses an answer as JSON. In the output mode `text`, where no format was enforced, also finds a JSON object among other words and repairs
 * small syntax errors.
 */
export function extractJson(
  text: string,
  output_mode: OutputMode,
): { ok: true; value: unknown } | { ok: false; problem: string } {
  const plain = unfence(text);
  const strict = parse(plain);
  if (strict.ok || output_mode !== "text") return strict;
  const objects = balancedObjects(plain);
  const valid = objects.map(parse).find(({ ok }) => ok);
  if (valid) return valid;
  const start = plain.indexOf("{");
  if (start < 0) return { ok: false, problem: "The answer holds no JSON object." };
  const best = objects.reduce((longest, next) => (next.length > longest.length ? next : longest), "");
  try {
    return { ok: true, value: JSON.parse(jsonrepair(best || plain.slice(start))) };
  } catch {
    return strict;
  }
}

function parse(text: string): { ok: true; value: unknown } | { ok: false; problem: string } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, problem: `The answer is not valid JSON: ${(error as Error).message}.` };
  }
}

/** The outermost substrings from a `{` to its `}`, ignoring braces in double-quoted strings. */
function balancedObjects(text: string): string[] {
  const objects: string[] = [];
  let depth = 0;
  let start = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (inString) {
      if (character === "\\") i++;
      else if (character === '"') inString = false;
    } else if (character === '"') {
      inString = depth > 0;
    } else if (character === "{") {
      if (depth++ === 0) start = i;
    } else if (character === "}" && depth > 0 && --depth === 0) {
      objects.push(text.slice(start, i + 1));
    }
  }
  return objects;
}
