import { isDeepStrictEqual } from "node:util";
import { type Field, isRecord } from "./form-fields";

/** Entries of one list for which a form has room. */
const MAX_ENTRIES = 100;

/**
 * Whether a form with this field can show a value and send back exactly this value. Otherwise the value is edited as JSON: it is too long, or
 * holds something that a control would change or lose, such as an empty entry of a list.
 */
export function fitsForm(field: Field, value: unknown): boolean {
  switch (field.is) {
    case "text":
      return typeof value === "string" && !value.includes("\r") && (value !== "" || field.blank === true);
    case "number":
      return Number.isFinite(value);
    case "boolean":
      return typeof value === "boolean";
    case "choice":
      return field.options.some((option) => option.value === value);
    case "choices": {
      if (!Array.isArray(value)) return false;
      const chosen = field.options.filter((option) => value.includes(option.value));
      return isDeepStrictEqual(
        chosen.map((option) => option.value),
        value,
      );
    }
    case "lines":
      return Array.isArray(value) && value.every((line) => typeof line === "string" && isOneLine(line));
    case "list":
      return (
        Array.isArray(value) &&
        value.length <= MAX_ENTRIES &&
        value.every((entry) => !isEmpty(entry) && fitsForm(field.of, entry))
      );
    case "group":
      return (
        isRecord(value) &&
        Object.keys(value).every((key) => field.fields.some(({ name }) => name === key)) &&
        field.fields.every(({ name, required, nullable, field: inner }) => {
          const part = value[name];
          if (part === undefined) return !required;
          if (part === null) return nullable;
          const isLost = isEmpty(part) && (nullable || !required); // an empty field is absent, or null
          return !isLost && fitsForm(inner, part);
        })
      );
    case "json":
      return false;
  }
}

const isOneLine = (text: string) => text !== "" && text === text.trim() && !/[\r\n]/.test(text);

/** Entries of a form without content; they do not count. */
const isEmpty = (value: unknown): boolean => {
  if (value === null || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  return isRecord(value) && Object.values(value).every(isEmpty);
};
