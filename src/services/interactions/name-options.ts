import { nameOf } from "#workflow-kit/presentation";
import type { Field, NamedField } from "./form-fields";

/** Fields whose options are ids, labelled with what these stand for. */
export const nameOptions = (fields: readonly NamedField[], names: Readonly<Record<string, string>>): NamedField[] =>
  fields.map((item) => ({ ...item, field: withNames(item.field, names) }));

function withNames(field: Field, names: Readonly<Record<string, string>>): Field {
  switch (field.is) {
    case "choice":
    case "choices":
      return { ...field, options: field.options.map((option) => ({ ...option, label: nameOf(names, option.label) })) };
    case "list":
      return { ...field, of: withNames(field.of, names) };
    case "group":
      return { ...field, fields: nameOptions(field.fields, names) };
    default:
      return field;
  }
}
