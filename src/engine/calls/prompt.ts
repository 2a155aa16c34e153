import { createHash } from "node:crypto";
import Mustache from "mustache";
import type { Action, Feedback } from "#workflow-kit/action";
import { quoteUntrusted } from "#llm/escape-untrusted";

export interface RenderedPrompt {
  system: string;
  user: string;
  /** SHA-256 of the prompt file, in hex: identifies the wording behind an artifact. */
  hash: string;
}

const PARTS = /^# System\s*\n([\s\S]*?)\n# User\s*\n([\s\S]*)$/;

/** The two parts of a prompt file. Throws when the file has other parts. */
export function promptParts(prompt: string): { system: string; user: string } {
  const match = PARTS.exec(prompt.replaceAll("\r\n", "\n").trim());
  if (!match) throw new Error("A prompt file has two parts, headed `# System` and `# User`");
  return { system: match[1]!.trim(), user: match[2]!.trim() };
}

const hashes = new Map<string, string>();

/** SHA-256 of a prompt file, in hex. Cached: prompt files are few, and do not change while an isolate lives. */
function hashOf(prompt: string): string {
  const hash = hashes.get(prompt) ?? createHash("sha256").update(prompt).digest("hex");
  hashes.set(prompt, hash);
  return hash;
}

const fill = (template: string, variables: Record<string, unknown>) =>
  Mustache.render(template, variables, undefined, { escape: (value: unknown) => String(value) });

/** Fills a prompt file with an action's input, and with a person's feedback when the action is redone. */
export function renderPrompt<Input, Output>(
  action: Action<Input, Output>,
  input: Input,
  feedback?: Feedback<Output>,
): RenderedPrompt {
  const { system, user } = promptParts(action.prompt);
  const variables = action.variables(input);
  return {
    system: fill(system, variables),
    user: fill(user, variables) + (feedback ? revisionRequest(feedback) : ""),
    hash: hashOf(action.prompt),
  };
}

function revisionRequest({ comment, previous }: Feedback): string {
  const text = typeof previous === "string" ? previous : JSON.stringify(previous);
  return [
    "\n\nYou have answered this before. Your answer was:",
    quoteUntrusted("previous answer", text),
    "A person has read it and asks for changes:",
    quoteUntrusted("comment", comment),
    "Answer again, whole and in the same form. Do what the comment asks, and keep what it does not touch.",
  ].join("\n");
}
