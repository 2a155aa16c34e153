import type { JsonSchema } from "#services/runs/describe-workflow";

/** Keywords of JSON Schema that hold schemas, by the form in which they do. */
const OF_ONE = ["items", "additionalProperties", "propertyNames", "not"];
const OF_MANY = ["anyOf", "oneOf", "allOf", "prefixItems"];

/**
 * The schema with its defaults in words. Some generators of types make a field with `default` required, and then refuse a request without it;
 * `GET /v1/workflows/{name}` has the defaults of options as keywords.
 */
export function withDefaultsInWords(schema: JsonSchema): JsonSchema {
  const { default: value, ...rest } = schema;
  const said = [rest.description, value !== undefined && `Default: \`${JSON.stringify(value)}\`.`].filter(Boolean);
  const inner = Object.entries(rest).map(([keyword, held]): [string, unknown] => {
    if (keyword === "properties")
      return [
        keyword,
        Object.fromEntries(
          Object.entries(held as Record<string, JsonSchema>).map(([name, own]) => [name, withDefaultsInWords(own)]),
        ),
      ];
    if (OF_MANY.includes(keyword)) return [keyword, (held as JsonSchema[]).map(withDefaultsInWords)];
    if (OF_ONE.includes(keyword) && typeof held === "object") return [keyword, withDefaultsInWords(held as JsonSchema)];
    return [keyword, held];
  });
  return { ...Object.fromEntries(inner), ...(said.length > 0 && { description: said.join(" ") }) };
}
