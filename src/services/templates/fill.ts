import type { FieldError } from "#core/errors";
import type { Field } from "./requests";

/** JSON values. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
type Values = Readonly<Record<string, Json>>;
type Fields = Readonly<Record<string, Field>>;

const PLACEHOLDER = /\{\{([a-z][a-z0-9_]*)\}\}/g;
const WHOLE = /^\{\{([a-z][a-z0-9_]*)\}\}$/;

/** The value with each text changed. */
function mapTexts(value: Json, change: (text: string) => Json): Json {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, change));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapTexts(one, change)]));
}

/** The request with the values of its fields. In a text that holds more than the placeholder, a value that is no text is written as JSON. */
export const filled = (request: Json, values: Values): Json =>
  mapTexts(request, (text) => {
    const whole = WHOLE.exec(text)?.[1];
    if (whole !== undefined) return values[whole]!;
    return text.replace(PLACEHOLDER, (_, name: string) => {
      const value = values[name]!;
      return typeof value === "string" ? value : JSON.stringify(value);
    });
  });

/** Characters of the request with the values of its fields, as JSON about: known before it is made, because each placeholder repeats its value. */
export function lengthOfFilled(request: Json, values: Values): number {
  const lengths = new Map(Object.entries(values).map(([name, value]) => [name, JSON.stringify(value).length]));
  let sum = JSON.stringify(request).length;
  mapTexts(request, (text) => {
    for (const [placeholder, name] of text.matchAll(PLACEHOLDER)) sum += lengths.get(name!)! - placeholder.length;
    return text;
  });
  return sum;
}

/** Placeholders without a field, and fields without a placeholder. */
export function placeholderErrors(request: Json, fields: Fields): FieldError[] {
  const used = new Set<string>();
  mapTexts(request, (text) => {
    for (const [, name] of text.matchAll(PLACEHOLDER)) used.add(name!);
    return text;
  });
  const unknown = [...used].filter((name) => !Object.hasOwn(fields, name));
  const unused = Object.keys(fields).filter((name) => !used.has(name));
  return [
    ...unknown.map((name) =>
      fieldError("request", "unknown_field", `{{${name}}} stands for a field that is not declared.`),
    ),
    ...unused.map((name) => fieldError(`fields.${name}`, "custom", `The request holds no {{${name}}}.`)),
  ];
}

/** The value of each field when a template is checked: its default, or its example. */
export function sampleValues(fields: Fields): { values: Values; errors: FieldError[] } {
  const values = Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const value = field.default ?? field.example;
      return value === undefined ? [] : [[name, value as Json]];
    }),
  );
  const missing = Object.keys(fields).filter((name) => !Object.hasOwn(values, name));
  return {
    values,
    errors: [
      ...missing.map((name) =>
        fieldError(`fields.${name}`, "required", "Give a default, or an example to check the template with."),
      ),
      ...typeErrors(values, fields, "fields"),
    ],
  };
}

/** The values with the defaults of those that are left out, and the errors of both. */
export function givenValues(given: Values, fields: Fields): { values: Values; errors: FieldError[] } {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(fields, name));
  const values: Record<string, Json> = {};
  const missing: string[] = [];
  for (const [name, field] of Object.entries(fields)) {
    const value = Object.hasOwn(given, name) ? given[name] : (field.default as Json | undefined);
    if (value === undefined) missing.push(name);
    else values[name] = value;
  }
  return {
    values,
    errors: [
      ...unknown.map((name) => fieldError(`fields.${name}`, "unknown_field", `The template has no field "${name}".`)),
      ...missing.map((name) => fieldError(`fields.${name}`, "required", "The template needs a value.")),
      ...typeErrors(values, fields, "fields"),
    ],
  };
}

const typeErrors = (values: Values, fields: Fields, path: string): FieldError[] =>
  Object.entries(values).flatMap(([name, value]) => {
    const { type } = fields[name]!;
    return type === "json" || typeof value === type
      ? []
      : [fieldError(`${path}.${name}`, "invalid_type", `The field is of the type ${type}.`)];
  });

const fieldError = (path: string, code: string, message: string): FieldError => ({ path, code, message });
