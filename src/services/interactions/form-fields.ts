import type { InteractionRow } from "#store/rows";
import type { Question } from "#core/vocabulary";

type JsonSchema = Record<string, unknown>;

/** How a form without a script takes a value: one control, or a group of them. A value without a control of its own is typed as JSON. */
export type Field =
  | { is: "text"; long: boolean; longest?: number }
  | { is: "number" }
  | { is: "boolean" }
  | { is: "choice"; options: Option[] }
  | { is: "choices"; options: Option[] }
  /** Short texts, one a line. */
  | { is: "lines" }
  | { is: "group"; fields: NamedField[] }
  | { is: "list"; of: Field }
  | { is: "json" };

export interface Option {
  value: string | number | boolean | null;
  label: string;
  hint?: string;
}

export interface NamedField {
  name: string;
  label: string;
  hint?: string;
  /** The subject of a question. */
  dimension?: string;
  required: boolean;
  /** Takes null, which is the value of a required field that is empty. */
  nullable: boolean;
  default?: unknown;
  field: Field;
}

/** Texts that may be longer than this get a box of several lines. Characters. */
const LONG_TEXT = 200;

/** The fields of the form that answers an interaction, by its questions and its `answer_schema`. */
export function formFields(row: Pick<InteractionRow, "questions" | "answer_schema">): NamedField[] {
  const schema = JSON.parse(row.answer_schema) as JsonSchema;
  const questions = JSON.parse(row.questions) as Question[];
  return propertiesOf(schema, schema).map((property) => {
    if (property.name === "answers")
      return { ...property, field: { is: "group", fields: questions.map(ofQuestion) } as const };
    // A person edits a whole artifact: as text, or as JSON.
    if (property.name === "edited_content" && property.field.is !== "text")
      return { ...property, field: { is: "json" } as const };
    return property;
  });
}

function ofQuestion({ id, text, type, choices = [], required, default: preset, dimension }: Question): NamedField {
  const fields = {
    text: () => ({ is: "text", long: true, longest: 20_000 }),
    choice: () => ({ is: "choice", options: choices.map((value) => ({ value, label: value })) }),
    boolean: () => ({ is: "boolean" }),
    number: () => ({ is: "number" }),
  } as const satisfies Record<Question["type"], () => Field>;
  return { name: id, label: text, dimension, required, nullable: false, default: preset, field: fields[type]() };
}

function propertiesOf(schema: JsonSchema, root: JsonSchema): NamedField[] {
  const required = new Set((schema.required ?? []) as string[]);
  return Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).map(([name, property]) => {
    const { inner, nullable } = withoutNull(resolve(property, root), root);
    const { title, description } = { ...inner, ...property } as { title?: string; description?: string };
    return {
      name,
      label: title ?? inWords(name),
      hint: description,
      required: required.has(name),
      nullable,
      default: property.default ?? inner.default,
      field: fieldOf(inner, root),
    };
  });
}

function fieldOf(schema: JsonSchema, root: JsonSchema): Field {
  const options = optionsOf(schema);
  if (options) return { is: "choice", options };
  switch (schema.type) {
    case "string": {
      const longest = schema.maxLength as number | undefined;
      return { is: "text", long: (longest ?? Infinity) > LONG_TEXT, longest };
    }
    case "number":
    case "integer":
      return { is: "number" };
    case "boolean":
      return { is: "boolean" };
    case "array":
      return listOf(schema, root);
    case "object":
      return isClosed(schema) ? { is: "group", fields: propertiesOf(schema, root) } : { is: "json" };
    default:
      return { is: "json" };
  }
}

function listOf(schema: JsonSchema, root: JsonSchema): Field {
  if (!isRecord(schema.items)) return { is: "json" };
  const of = fieldOf(resolve(schema.items, root), root);
  if (of.is === "choice") return { is: "choices", options: of.options };
  if (of.is === "text") return of.long && of.longest !== undefined ? { is: "list", of } : { is: "lines" };
  return of.is === "group" && of.fields.every(({ field }) => field.is !== "list" && field.is !== "group")
    ? { is: "list", of }
    : { is: "json" };
}

/** True for an object that takes no other properties than those named. */
const isClosed = (schema: JsonSchema) =>
  isRecord(schema.properties) && (!schema.additionalProperties || isEmpty(schema.additionalProperties));

/** `{}` as the schema of further properties: zod writes this when it drops or ignores them. */
const isEmpty = (value: unknown) => isRecord(value) && Object.keys(value).length === 0;

/** Values to choose from: an `enum`, or alternatives of one value each, which may have titles. */
function optionsOf(schema: JsonSchema): Option[] | null {
  if (Array.isArray(schema.enum)) return (schema.enum as Option["value"][]).map(toOption);
  if (Object.hasOwn(schema, "const")) return [toOption(schema.const as Option["value"])];
  const alternatives = (schema.oneOf ?? schema.anyOf) as JsonSchema[] | undefined;
  if (!alternatives?.length || !alternatives.every((item) => Object.hasOwn(item, "const"))) return null;
  return alternatives.map(({ const: value, title, description }) => ({
    value: value as Option["value"],
    label: String(title ?? value),
    hint: description as string | undefined,
  }));
}

const toOption = (value: Option["value"]): Option => ({ value, label: String(value) });

/** The schema without null. */
function withoutNull(schema: JsonSchema, root: JsonSchema): { inner: JsonSchema; nullable: boolean } {
  const alternatives = schema.anyOf as JsonSchema[] | undefined;
  const others = alternatives?.filter((item) => item.type !== "null") ?? [];
  if (others.length !== 1 || others.length === alternatives?.length) return { inner: schema, nullable: false };
  return { inner: resolve(others[0]!, root), nullable: true };
}

/** Follows a reference into `$defs`; others are not resolved. */
function resolve(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const name = /^#\/\$defs\/([^/]+)$/.exec(String(schema.$ref ?? ""))?.[1];
  const target = name && (root.$defs as Record<string, JsonSchema> | undefined)?.[name];
  return target && !("$ref" in target) ? target : schema;
}

/** `requirement_draft` as people write it. */
export const inWords = (name: string): string => {
  const words = name.replaceAll(/[_-]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
