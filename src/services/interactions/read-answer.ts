import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { Fault } from "#core/errors";
import { toFaults } from "../fields/faults";
import type { InteractionRow } from "#store/rows";

/** An answer as it is stored: who gave it stands beside it. */
export interface Answer {
  answer: Record<string, unknown>;
  answered_by: string | null;
}

/**
 * Reads the body of an answer under the interaction's own `answer_schema`.
 * @param unread faults of fields that could not even be read: told instead of what the schema finds there
 */
export function readAnswer(
  row: Pick<InteractionRow, "kind" | "answer_schema">,
  body: unknown,
  unread: readonly Fault[] = [],
): Answer | { faults: Fault[] } {
  const parsed = z.fromJSONSchema(JSON.parse(row.answer_schema)).safeParse(body);
  const found = [...(parsed.success ? [] : toFaults(parsed.error, body)), ...missingComment(row, body)];
  const faults = [...unread, ...found.filter(({ path }) => !unread.some((fault) => fault.path === path))];
  if (faults.length || !parsed.success) return { faults };
  const { answered_by, ...answer } = parsed.data as Record<string, unknown>;
  return { answer, answered_by: (answered_by as string | undefined) ?? null };
}

/** The action that is done again works by the comment; JSON Schema could say so only at the cost of a readable schema. */
function missingComment(row: Pick<InteractionRow, "kind">, body: unknown): Fault[] {
  const { decision, comment = "" } = Object(body) as Record<string, unknown>;
  if (row.kind === "clarification" || decision !== "revise" || typeof comment !== "string" || comment.trim()) return [];
  return [{ path: "comment", code: "required", message: "With `revise`, say what is to be changed." }];
}

/** True when both are the same JSON, whatever the order of their properties. */
export const sameAnswer = (one: unknown, other: unknown): boolean => isDeepStrictEqual(asJson(one), asJson(other));

/** What would be read of it again: no property that is undefined, no -0. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
