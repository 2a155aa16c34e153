import { z } from "zod";

/** Bodies of requests to templates. */

export const FIELD_TYPES = ["string", "number", "boolean", "json"] as const;

const FIELD_NAME = /^[a-z][a-z0-9_]{0,39}$/;
const fieldName = z.string().regex(FIELD_NAME, "A lower-case letter, then letters, digits and `_`, at most 40.");

export const fieldSchema = z
  .strictObject({
    type: z.enum(FIELD_TYPES).default("string"),
    description: z.string().max(500).default(""),
    default: z.unknown().optional().describe("Taken where no value is given. Absent: a value must be given."),
    example: z.unknown().optional().describe("A value to check the template with; needed where there is no default."),
  })
  .meta({ id: "TemplateField" });
export type Field = z.output<typeof fieldSchema>;

const parts = {
  name: z.string().trim().min(1).max(200),
  description: z.string().max(2000),
  request: z
    .record(z.string(), z.unknown())
    .describe(
      "The body of `POST /v1/runs`. `{{name}}` in a text stands for the field `name`; a text that is nothing else becomes the field's value.",
    ),
  fields: z
    .record(fieldName, fieldSchema)
    .refine((fields) => Object.keys(fields).length <= 50, "At most 50 fields.")
    .describe("The fields to fill, by name."),
};

/** The body of `POST /v1/templates`. */
export const createTemplateSchema = z.strictObject({
  ...parts,
  description: parts.description.default(""),
  fields: parts.fields.default({}),
});

/** The body of `PATCH /v1/templates/{id}`. */
export const updateTemplateSchema = z
  .strictObject(parts)
  .partial()
  .refine((change) => Object.keys(change).length > 0, "Give at least one field to change.");

/** Values of a template's fields, by name. */
export const valuesSchema = z.record(fieldName, z.unknown());

/** The body of `POST /v1/templates/{id}/runs`. */
export const startTemplateSchema = z.strictObject({
  fields: valuesSchema.default({}).describe("Values of the template's fields, by name."),
});
