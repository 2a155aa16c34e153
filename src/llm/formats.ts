import { z } from "zod";
import { hasOpenFence } from "./code-fences";
import { issueSentences } from "./issue-sentences";
import type { OutputFormat } from "./types";

/** Keywords that OpenAI's strict mode or a server's grammar refuses. `parse` still enforces them. */
const NOT_STRICT = ["default", "format", "pattern", "minLength", "maxLength", "propertyNames"] as const;

/**
 * Makes an output format from a zod schema. The JSON Schema is strict: every property is required (use `nullable`, not `optional`), and no
 * others are allowed, so records cannot be used.
 * @param name `^[a-zA-Z0-9_-]{1,64}$`
 * @param schema of an object
 * @param check rules that a schema cannot express; returns sentences that tell the model what to repair
 */
export function jsonFormat<T>(name: string, schema: z.ZodType<T>, check?: (value: T) => string[]): OutputFormat<T> {
  const strict = strictSchema(name, schema);
  return {
    type: "json",
    name,
    schema: strict,
    parse(value) {
      const parsed = schema.safeParse(value);
      if (!parsed.success) return { ok: false, problems: issueSentences(parsed.error.issues) };
      return parseResult(parsed.data, check?.(parsed.data));
    },
  };
}

/** Cached, because making a schema costs more CPU than the rest of a call; actions are few and their schemas constant. */
const strictSchemas = new WeakMap<z.ZodType, Record<string, unknown>>();

function strictSchema(name: string, schema: z.ZodType): Record<string, unknown> {
  const known = strictSchemas.get(schema);
  if (known) return known;
  const { $schema: _, ...strict } = z.toJSONSchema(schema, {
    target: "draft-2020-12",
    io: "input",
    override: ({ jsonSchema: node }) => {
      for (const keyword of NOT_STRICT) delete node[keyword];
      if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum;
      if (node.minimum === Number.MIN_SAFE_INTEGER) delete node.minimum;
      if (node.oneOf) {
        node.anyOf = node.oneOf;
        delete node.oneOf;
      }
      if (node.properties) {
        node.required = Object.keys(node.properties);
        node.additionalProperties = false;
      }
    },
  });
  if (strict.type !== "object")
    throw new Error(`The output ${name} must be an object; strict mode takes nothing else.`);
  strictSchemas.set(schema, strict);
  return strict;
}

/** Makes the output format of a Markdown document. An unclosed code block is refused: it would swallow the text after it. */
export function markdownFormat(check?: (text: string) => string[]): OutputFormat<string> {
  return {
    type: "markdown",
    parse(text) {
      const open = hasOpenFence(text) ? ["A code block is opened with a fence and never closed."] : [];
      return parseResult(text, [...open, ...(check?.(text) ?? [])]);
    },
  };
}

const parseResult = <T>(value: T, problems: string[] = []) =>
  problems.length > 0 ? ({ ok: false, problems } as const) : ({ ok: true, value } as const);
