/** The parts of JSON Schema (2020-12) that the workflows' inputs and options use. */
export interface Schema {
  type?: string | string[];
  enum?: unknown[];
  description?: string;
  default?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema | boolean;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  anyOf?: Schema[];
  $ref?: string;
  $defs?: Record<string, Schema>;
}

/** What a value is edited with. */
export type Control = "choice" | "switch" | "number" | "text" | "long-text" | "list" | "record" | "json";

/** Texts that may be longer are edited on several lines. */
const ONE_LINE = 250;

/** A schema without its reference. @param root the schema that has the definitions */
export function resolved(schema: Schema, root: Schema): Schema {
  const name = schema.$ref?.split("/").at(-1);
  const target = name === undefined ? undefined : root.$defs?.[name];
  return target ? { ...target, ...(schema.description && { description: schema.description }) } : schema;
}

/** What fits a schema best; JSON where nothing simpler does. */
export function controlFor(schema: Schema): Control {
  if (schema.enum) return "choice";
  switch (schema.type) {
    case "boolean":
      return "switch";
    case "integer":
    case "number":
      return "number";
    case "string":
      return (schema.maxLength ?? 0) > ONE_LINE ? "long-text" : "text";
    case "array":
      return typeof schema.items === "object" && !("prefixItems" in schema) ? "list" : "json";
    case "object":
      return schema.properties && Object.keys(schema.properties).length > 0 ? "record" : "json";
    default:
      return "json";
  }
}

/** What a new entry of a list begins as. */
export function emptyValue(schema: Schema): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  switch (controlFor(schema)) {
    case "record":
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, emptyValue(schema.properties![name] ?? {})]),
      );
    case "list":
      return [];
    case "number":
      return schema.minimum ?? 0;
    case "switch":
      return false;
    case "json":
      return {};
    default:
      return "";
  }
}
