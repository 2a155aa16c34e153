import { z } from "zod";
import type { Action } from "#workflow-kit/action";
import { MAX_EDIT_LENGTH } from "../calls/output-format";
import type { Question } from "#core/vocabulary";
import type { Consultation, FeedbackAnswer } from "#workflow-kit/questions";

export const comment = { type: "string", maxLength: 20_000 } as const;
const answeredBy = { type: "string", maxLength: 200, description: "Who answers; kept with the answer." } as const;

const VALUE_SCHEMAS = {
  text: () => ({ type: "string", maxLength: 20_000, pattern: "\\S" }),
  choice: (question: Question) => ({ type: "string", enum: question.choices ?? [] }),
  boolean: () => ({ type: "boolean" }),
  number: () => ({ type: "number" }),
} satisfies Record<Question["type"], (question: Question) => object>;

/** JSON Schema of the body that answers these questions. */
export function clarificationSchema(questions: readonly Question[]): Record<string, unknown> {
  const properties = Object.fromEntries(
    questions.map((question) => [
      question.id,
      { ...VALUE_SCHEMAS[question.type](question), description: question.text },
    ]),
  );
  const required = questions.filter((question) => question.required).map((question) => question.id);
  return {
    type: "object",
    properties: {
      answers: { type: "object", properties, required, additionalProperties: false },
      comment,
      answered_by: answeredBy,
    },
    required: ["answers"],
    additionalProperties: false,
  };
}

/** JSON Schema of the body that gives feedback on an artifact of an action. */
export function feedbackSchema(action: Action): Record<string, unknown> {
  const edited = action.output
    ? without(jsonSchema(action.output, "output"), action.hidden ?? [])
    : { type: "string", minLength: 1, maxLength: MAX_EDIT_LENGTH };
  return decisionSchema(["approve", "revise", "reject"], {
    edited_content: { ...edited, description: "The artifact as it should read; becomes its next version." },
  });
}

/** JSON Schema of an object without some of its properties. */
function without(whole: Record<string, any>, names: readonly string[]): Record<string, unknown> {
  if (names.length === 0) return whole;
  const { properties, required, ...schema } = whole;
  const kept = Object.entries(properties as object).filter(([name]) => !names.includes(name));
  return {
    ...schema,
    properties: Object.fromEntries(kept),
    required: (required as string[]).filter((name) => !names.includes(name)),
  };
}

/** A person's edit, completed by the hidden properties of the previous version, which people are not shown. */
export const withHidden = <T>({ hidden = [] }: Pick<Action, "hidden">, edited: unknown, previous: T): unknown =>
  hidden.length === 0
    ? edited
    : { ...Object(edited), ...Object.fromEntries(hidden.map((name) => [name, Object(previous)[name]])) };

/** JSON Schema of the body that answers a consultation. */
export const consultationSchema = ({
  decisions = ["approve", "reject"],
  additions,
}: Pick<Consultation<unknown>, "decisions" | "additions">): Record<string, unknown> =>
  decisionSchema(decisions, { additions: jsonSchema(additions, "input") });

/** JSON Schema of a body with a decision. References to `$defs` start at the root, so the definitions move there. */
function decisionSchema(
  decisions: readonly FeedbackAnswer["decision"][],
  more: Record<string, Record<string, unknown>>,
) {
  const named = Object.assign({}, ...Object.values(more).map(({ $defs }) => $defs));
  const properties = Object.fromEntries(
    Object.entries(more).map(([name, { $defs: _, ...schema }]) => [name, schema] as const),
  );
  return {
    type: "object",
    properties: {
      decision: { type: "string", enum: decisions },
      comment,
      ...properties,
      answered_by: answeredBy,
    },
    required: ["decision"],
    additionalProperties: false,
    ...(Object.keys(named).length ? { $defs: named } : {}),
  };
}

function jsonSchema(schema: z.ZodType, io: "input" | "output"): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    target: "draft-2020-12",
    unrepresentable: "any",
    io,
    override: ({ zodSchema: { _zod }, jsonSchema: written }) => {
      // The result of a transformation has no schema of its own; people write what it takes.
      if (_zod.def.type !== "pipe") return;
      const { in: taken, out } = _zod.def as z.core.$ZodPipeDef;
      if (out._zod.def.type === "transform") Object.assign(written, jsonSchema(taken as z.ZodType, io));
    },
  }) as Record<string, unknown>;
  return rest;
}
