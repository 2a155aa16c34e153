import { line, escapeUntrusted } from "#workflow-kit/prompt-values";
import type { CallAgentInput, Given } from "../inputs";
import { contextValue } from "./prompt-values";

/** Longest text of an input field within the JSON; longer texts, and texts of several lines, are shown apart. Characters. */
const MAX_FIELD_LENGTH = 200;

/** The parts of what a program got that an agent is shown under their own names. */
type Own = "requirement" | "context" | "functions";

/** What an agent is shown of a call's input: the user's request, context and functions by their names, everything else as material. */
export function callValues({ input, given }: CallAgentInput) {
  const own = new Set<Own>();
  const rest = withoutOwn(input, given, own);
  const { json, texts } = rest === undefined ? { json: null, texts: [] } : inputValues(rest);
  return {
    request: own.has("requirement") ? escapeUntrusted(given.requirement) : null,
    context: own.has("context") ? contextValue(given.context) : null,
    functions: own.has("functions") ? escapeUntrusted(JSON.stringify(given.functions)) : null,
    input: json,
    texts,
  };
}

/**
 * An input without the fields that hold the requirement, the context or the functions unchanged, which are added to `own`; undefined when nothing
 * remains. A program passes them on by any field name, so equal values tell them apart, not names.
 */
function withoutOwn(input: unknown, given: Given, own: Set<Own>): unknown {
  const isOwn = (value: unknown): boolean => {
    const found = ownPart(value, given);
    if (found) own.add(found);
    return found !== null;
  };
  if (typeof input !== "object" || input === null || Array.isArray(input)) return isOwn(input) ? undefined : input;
  const kept = Object.entries(input).filter(([, value]) => !isOwn(value) && !isNothing(value));
  return kept.length ? Object.fromEntries(kept) : undefined;
}

/** `given.context` is null when there is none, and `given.functions` empty: a field with such a value says nothing. */
const isNothing = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);

function ownPart(value: unknown, { requirement, context, functions }: Given): Own | null {
  if (typeof value === "string") {
    if (value.trim() === requirement.trim()) return "requirement";
    return context !== null && value.trim() === context.trim() ? "context" : null;
  }
  if (!functions.length || !Array.isArray(value)) return null;
  return JSON.stringify(value) === JSON.stringify(functions) ? "functions" : null;
}

/** An agent's input: a text unchanged; an object as JSON, with its long texts apart, because they are hard to read when escaped. */
function inputValues(input: unknown): { json: string | null; texts: { name: string; text: string }[] } {
  if (typeof input === "string") return { json: escapeUntrusted(input), texts: [] };
  if (typeof input !== "object" || input === null || Array.isArray(input))
    return { json: escapeUntrusted(JSON.stringify(input)), texts: [] };
  const isLong = (value: unknown): value is string =>
    typeof value === "string" && (value.length > MAX_FIELD_LENGTH || value.includes("\n"));
  const fields = Object.entries(input);
  const short = fields.filter(([, value]) => !isLong(value));
  return {
    json: short.length ? escapeUntrusted(JSON.stringify(Object.fromEntries(short))) : null,
    texts: fields.flatMap(([name, value]) =>
      isLong(value) ? [{ name: fieldName(name), text: escapeUntrusted(value) }] : [],
    ),
  };
}

/** Programs choose field names, so a name must not close the tag around it. */
const fieldName = (name: string): string => line(name).replace(/["<>]/g, "'");
