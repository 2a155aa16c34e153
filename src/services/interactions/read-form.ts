import type { FieldError } from "#core/errors";
import type { InteractionRow } from "#store/rows";
import { isTooDeep, MAX_JSON_DEPTH } from "../fields/json-depth";
import { type Field, formFields, type NamedField } from "./form-fields";

const BOOLEANS: Record<string, boolean> = {
  true: true,
  on: true,
  yes: true,
  "1": true,
  false: false,
  off: false,
  no: false,
  "0": false,
};

const EDIT = "edited_content";

/** Entries of one list that a form may have. */
const MAX_ENTRIES = 500;

/** The body of an answer, and errors of the fields that could not be parsed, which are in the body as they were typed. */
export interface ParsedForm {
  body: Record<string, unknown>;
  errors: FieldError[];
}

/**
 * Reads the fields of a form by the interaction's questions and its `answer_schema`: `answers[q1]` or just `q1` for a question,
 * `decision`, `comment`, `additions[notes]`, `additions[evidence][0][text]`. Empty fields count as absent, and so do empty entries of a
 * list. A group may also be sent whole, as JSON. An unknown field keeps its name, so that the schema refuses it.
 */
export function readForm(row: Pick<InteractionRow, "questions" | "answer_schema">, form: URLSearchParams): ParsedForm {
  const fields = formFields(row);
  const reader = new FormReader(withWholeNames(fields, form));
  const body = reader.group(fields, (name) => name, "") ?? {};
  const edit = fields.find(({ name }) => name === EDIT);
  // All parts of the artifact were removed, which is an edit too.
  if (edit && body[EDIT] === undefined && [...form.keys()].some((name) => name.startsWith(`${EDIT}[`)))
    body[EDIT] = empty(edit.field);
  const answers = fields.find(({ name }) => name === "answers");
  if (answers) body.answers ??= {};
  for (const [name, text] of reader.unread()) {
    const question = answers && /^answers\[(.+)\]$/.exec(name)?.[1];
    define(question === undefined ? body : (body.answers as object), question ?? name, text);
  }
  return { body, errors: reader.errors };
}

/** `q1` alone means `answers[q1]`, unless the answer has a field of that name. */
function withWholeNames(fields: readonly NamedField[], form: URLSearchParams): URLSearchParams {
  const own = new Set(fields.map(({ name }) => name));
  const answers = fields.find(({ name }) => name === "answers")?.field;
  const questions = new Set(answers?.is === "group" ? answers.fields.map(({ name }) => name) : []);
  return new URLSearchParams(
    [...form].map(([name, text]) => [questions.has(name) && !own.has(name) ? `answers[${name}]` : name, text]),
  );
}

/** The index of an entry within a name. */
const ENTRY = /\[(\d{1,6})\]/g;

/** Lists within one another that a name can be in. */
const MAX_LISTS = 8;

class FormReader {
  readonly errors: FieldError[] = [];
  private readonly known = new Set<string>();
  private readonly given = new Map<string, string[]>();
  /** Indexes of the entries of a list, by its name. */
  private readonly indexes = new Map<string, Set<string>>();

  constructor(private readonly form: URLSearchParams) {
    for (const [name, text] of form) {
      getOrInsert(this.given, name, () => []).push(text);
      for (const { 1: index, index: at } of name.matchAll(ENTRY).take(MAX_LISTS))
        getOrInsert(this.indexes, name.slice(0, at), () => new Set<string>()).add(index!);
    }
  }

  /** Undefined when all its fields are empty. */
  group(
    fields: readonly NamedField[],
    nameOf: (name: string) => string,
    above: string,
  ): Record<string, unknown> | undefined {
    const values = fields.map((item) => this.value(item.field, nameOf(item.name), above + item.name));
    if (values.every((value) => value === undefined)) return undefined;
    const entries = fields.map((item, at) => [item.name, values[at] ?? whenEmpty(item)] as const);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  }

  /** The fields that no call has read. */
  unread(): [string, string][] {
    return [...this.form].filter(([name, text]) => text !== "" && !this.known.has(name));
  }

  private value(field: Field, name: string, path: string): unknown {
    if ((field.is === "group" || field.is === "list") && this.given.has(name)) return this.json(name, path);
    switch (field.is) {
      case "group":
        return this.group(field.fields, (inner) => `${name}[${inner}]`, `${path}.`);
      case "list":
        return this.entries(field.of, name, path);
      case "choices": {
        const chosen = this.texts(name).map((text) => coerce(text, field));
        return chosen.length ? chosen : undefined;
      }
      case "lines": {
        const lines = this.text(name)
          ?.split("\n")
          .filter((line) => line.trim());
        return lines?.length ? lines.map((line) => line.trim()) : undefined;
      }
      case "json":
        return this.json(name, path);
      default: {
        const text = this.text(name);
        return text === undefined ? undefined : coerce(text, field);
      }
    }
  }

  private entries(of: Field, name: string, path: string): unknown[] | undefined {
    const indexes = [...(this.indexes.get(name) ?? [])].sort((a, b) => Number(a) - Number(b));
    const values: unknown[] = [];
    for (const index of indexes.slice(0, MAX_ENTRIES)) {
      const value = this.value(of, `${name}[${index}]`, `${path}.${values.length}`);
      if (value !== undefined) values.push(value);
    }
    return values.length ? values : undefined;
  }

  private json(name: string, path: string): unknown {
    const text = this.text(name);
    if (text === undefined || !text.trim()) return undefined;
    try {
      const value: unknown = JSON.parse(text);
      if (!isTooDeep(value)) return value;
      this.errors.push({ path, code: "not_json", message: `This is nested more than ${MAX_JSON_DEPTH} levels deep.` });
    } catch (error) {
      this.errors.push({ path, code: "not_json", message: `This is not JSON. ${(error as Error).message}.` });
    }
    return text;
  }

  /** The last value of this name. */
  private text(name: string): string | undefined {
    return this.texts(name).at(-1);
  }

  /** Browsers send line breaks as CR LF. */
  private texts(name: string): string[] {
    this.known.add(name);
    return (this.given.get(name) ?? []).flatMap((text) => (text === "" ? [] : [text.replaceAll(/\r\n?/g, "\n")]));
  }
}

function getOrInsert<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}

/** The value of an empty field, in a group that has another field filled in. */
function whenEmpty({ required, nullable, field }: NamedField): unknown {
  if (!required) return undefined;
  if (nullable) return null;
  return empty(field);
}

/** The value of a required field without any content; undefined when there is none. */
function empty(field: Field): unknown {
  switch (field.is) {
    case "choices":
    case "lines":
    case "list":
      return [];
    case "group": {
      const values = field.fields.map((item) => [item.name, whenEmpty(item)] as const);
      return Object.fromEntries(values.filter(([, value]) => value !== undefined));
    }
    case "text":
      return field.blank ? "" : undefined;
    default:
      return undefined;
  }
}

/** A text that is not of the type stays a text, so that the schema refuses it. */
function coerce(text: string, field: Field): unknown {
  switch (field.is) {
    case "boolean":
      return Object.hasOwn(BOOLEANS, text.toLowerCase()) ? BOOLEANS[text.toLowerCase()] : text;
    case "number":
      return text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
    case "choice":
    case "choices": {
      const option = field.options.find(({ value }) => String(value) === text);
      return option ? option.value : text;
    }
    default:
      return text;
  }
}

/** Sets an own property of any name, `__proto__` too. */
const define = (target: object, name: string, value: string) =>
  Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
