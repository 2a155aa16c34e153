import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { FieldError } from "#core/errors";
import { toFieldErrors } from "../fields/field-errors";
import { EXCLUSIVE } from "#workflow-kit/exclusive";
import type { InteractionRow } from "#store/rows";

/** The body of an answer before it is checked, and errors of fields that could not be parsed. */
export interface UncheckedAnswer {
  body: unknown;
  errors?: readonly FieldError[];
}

/** An answer as it is stored; `answered_by` has a column of its own. */
export interface Answer {
  answer: Record<string, unknown>;
  answered_by: string | null;
}

/**
 * Checks an answer by the interaction's own `answer_schema`. A field that could not be parsed keeps that fault, in place of the
 * schema's errors there.
 */
export function readAnswer(
  row: Pick<InteractionRow, "kind" | "answer_schema">,
  { body, errors: unparsed = [] }: UncheckedAnswer,
): Answer | { errors: FieldError[] } {
  const schema = JSON.parse(row.answer_schema) as JsonSchema;
  const parsed = z.fromJSONSchema(schema).safeParse(body);
  const found = [
    ...(parsed.success ? contradictions(schema, body) : toFieldErrors(parsed.error, body)),
    ...missingComment(row, body),
  ];
  const unparsedPaths = new Set(unparsed.map(({ path }) => path));
  const errors = [...unparsed, ...found.filter(({ path }) => !unparsedPaths.has(path))];
  if (errors.length || !parsed.success) return { errors };
  const { answered_by, ...answer } = parsed.data as Record<string, unknown>;
  return { answer, answered_by: (answered_by as string | undefined) ?? null };
}

/** `revise` needs a comment, because the action is done again with it. JSON Schema could say so only by becoming unreadable. */
function missingComment(row: Pick<InteractionRow, "kind">, body: unknown): FieldError[] {
  const { decision, comment = "" } = Object(body) as Record<string, unknown>;
  if (row.kind === "clarification" || decision !== "revise" || typeof comment !== "string" || comment.trim()) return [];
  return [{ path: "comment", code: "required", message: "With `revise`, say what to change." }];
}

type JsonSchema = Record<string, any>;

/** Entries that the additions name in two lists which exclude each other: JSON Schema has no keyword of its own for this. */
function contradictions(schema: JsonSchema, body: unknown): FieldError[] {
  const pairs = (schema.properties?.additions?.[EXCLUSIVE] ?? []) as [string, string][];
  const { additions } = Object(body) as Record<string, unknown>;
  const idsIn = (list: string) => {
    const entries = (Object(additions) as Record<string, unknown[] | undefined>)[list] ?? [];
    return entries.map((entry) => (typeof entry === "object" ? (entry as { id: unknown }).id : entry));
  };
  return pairs.flatMap(([one, other]) => {
    const others = new Set(idsIn(other));
    const both = [...new Set(idsIn(one))].filter((id) => others.has(id));
    if (both.length === 0) return [];
    const message = `${both.join(", ")}: under both ${one} and ${other}. Choose one of the two.`;
    return [{ path: `additions.${other}`, code: "contradictory", message }];
  });
}

/** True when both are the same JSON, whatever the order of their properties. */
export const sameAnswer = (a: unknown, b: unknown): boolean => isDeepStrictEqual(asJson(a), asJson(b));

/** The value after a round trip through JSON: without undefined properties and -0. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
