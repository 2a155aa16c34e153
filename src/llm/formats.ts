import { z } from "zod";
import { hasOpenFence } from "./code-fences";
import { issueSentences } from "./issue-sentences";
import type { OutputFormat } from "./types";

/** Keywords that OpenAI's strict mode, or a server's grammar, refuses. `parse` still checks what they said. */
const NOT_STRICT = ["default", "format", "pattern", "minLength", "maxLength", "propertyNames"] as const;

/**
 * A zod schema as an output format. The JSON Schema is strict: every property is required (say `nullable`, not `optional`,
 * for what may be missing) and no other is allowed, so records have no place in it.
 * @param name `^[a-zA-Z0-9_-]{1,64}$`
 * @param schema of an object
 * @param check what a schema cannot say: each string is a sentence that tells the model what to mend
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

/** Actions are few and their schemas do not change; making one costs more than all the rest of a call. */
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

/** A Markdown document. A code block that is never closed is refused: it would swallow what follows. */
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
