import type { InteractionRow } from "#store/rows";
import type { Question } from "#core/vocabulary";

type JsonSchema = Record<string, unknown>;

/** What the parts of a schema are read with. */
interface Root {
  $defs?: Record<string, JsonSchema>;
  /** In an artifact an empty text is a value. In other answers it is none, even if the schema would take it. */
  blanks?: boolean;
}

/** How a form without a script takes a value: one control, or a group of them. A value without a control of its own is typed as JSON. */
export type Field =
  /** `blank`: an empty text is a value. */
  | { is: "text"; long: boolean; longest?: number; blank?: true }
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
  /** The artifact that a question is about. */
  artifact_id?: string;
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
  const { $defs } = schema as Root;
  const edit = propertiesOf(schema, { $defs, blanks: true }).find(({ name }) => name === "edited_content");
  return propertiesOf(schema, { $defs }).map((property) => {
    if (property.name === "answers")
      return { ...property, field: { is: "group", fields: questions.map(ofQuestion) } as const };
    return property.name === edit?.name ? { ...edit, field: editorOf(edit.field) } : property;
  });
}

function ofQuestion({
  id,
  text,
  type,
  choices = [],
  required,
  default: preset,
  dimension,
  artifact_id,
}: Question): NamedField {
  const fields = {
    text: () => ({ is: "text", long: true, longest: 20_000 }),
    choice: () => ({ is: "choice", options: choices.map((value) => ({ value, label: value })) }),
    boolean: () => ({ is: "boolean" }),
    number: () => ({ is: "number" }),
  } as const satisfies Record<Question["type"], () => Field>;
  return {
    name: id,
    label: text,
    dimension,
    artifact_id,
    required,
    nullable: false,
    default: preset,
    field: fields[type](),
  };
}

function propertiesOf(schema: JsonSchema, root: Root): NamedField[] {
  const required = new Set((schema.required ?? []) as string[]);
  return Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).map(([name, property]) => {
    const { inner, nullable } = withoutNull(resolve(property, root), root);
    const { title, description } = { ...inner, ...property } as { title?: string; description?: string };
    return {
      name,
      label: title ?? humanize(name),
      hint: description,
      required: required.has(name),
      nullable,
      default: property.default ?? inner.default,
      field: fieldOf(inner, root),
    };
  });
}

function fieldOf(schema: JsonSchema, root: Root): Field {
  const options = optionsOf(schema);
  if (options) return { is: "choice", options };
  switch (schema.type) {
    case "string": {
      const longest = schema.maxLength as number | undefined;
      const blank = root.blanks && !schema.minLength && schema.pattern === undefined && schema.format === undefined;
      return { is: "text", long: (longest ?? Infinity) > LONG_TEXT, longest, ...(blank && { blank }) };
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

function listOf(schema: JsonSchema, root: Root): Field {
  if (!isRecord(schema.items)) return { is: "json" };
  const of = fieldOf(resolve(schema.items, root), root);
  if (of.is === "choice") return { is: "choices", options: of.options };
  if (of.is === "text") return of.long && of.longest !== undefined ? { is: "list", of } : { is: "lines" };
  return of.is === "group" && of.fields.every(({ field }) => field.is !== "list" && field.is !== "group")
    ? { is: "list", of }
    : { is: "json" };
}

/**
 * The field for a person's edit of a whole artifact: as text, in one control for each element, or as JSON when the shape has a part without a
 * control. Texts of a list get a box each, since an element may have several lines.
 */
function editorOf(field: Field): Field {
  if (field.is === "lines") return { is: "list", of: { is: "text", long: true } };
  if (field.is !== "group") return field.is === "text" || field.is === "list" ? field : { is: "json" };
  const fields = field.fields.map((item) => ({ ...item, field: editorPart(item.field) }));
  return fields.some((item) => item.field.is === "json") ? { is: "json" } : { is: "group", fields };
}

function editorPart(field: Field): Field {
  if (field.is === "lines" || field.is === "group") return editorOf(field);
  if (field.is !== "list" || field.of.is !== "group") return field;
  return field.of.fields.some((item) => item.field.is === "json") ? { is: "json" } : field;
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
function withoutNull(schema: JsonSchema, root: Root): { inner: JsonSchema; nullable: boolean } {
  if (Array.isArray(schema.type) && schema.type.length === 2 && schema.type.includes("null")) {
    return { inner: { ...schema, type: schema.type.find((type) => type !== "null") }, nullable: true };
  }
  const alternatives = schema.anyOf as JsonSchema[] | undefined;
  const others = alternatives?.filter((item) => item.type !== "null") ?? [];
  if (others.length !== 1 || others.length === alternatives?.length) return { inner: schema, nullable: false };
  return { inner: resolve(others[0]!, root), nullable: true };
}

/** Follows a reference into `$defs`; others are not resolved. */
function resolve(schema: JsonSchema, root: Root): JsonSchema {
  const name = /^#\/\$defs\/([^/]+)$/.exec(String(schema.$ref ?? ""))?.[1];
  const target = name && root.$defs?.[name];
  return target && !("$ref" in target) ? target : schema;
}

/** `requirement_draft` as people write it. */
export const humanize = (name: string): string => {
  const words = name.replaceAll(/[_-]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
