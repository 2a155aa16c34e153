import { z } from "zod";
import type { DocumentReference } from "#workflow-kit/artifact";
import { functionSchema } from "#workflow-kit/functions";
import { commonOptions, mainDocument, nonBlankText } from "#workflow-kit/options";
import { REVIEW_KINDS } from "./artifacts";
import { FORMS, type Form } from "./rules/answer";
import { labelsOf, requestText } from "./rules/request";

/** Most characters of the request. */
const MAX_REQUEST_LENGTH = 400_000;

export const inputSchema = z
  .record(z.string().min(1).max(200), z.json())
  .refine((input) => requestText(input).trim() !== "", "Write a request: one field at least that is not an id.")
  .refine((input) => requestText(input).length <= MAX_REQUEST_LENGTH, {
    message: `The request has more than ${MAX_REQUEST_LENGTH} characters.`,
    when: ({ issues }) => issues.length === 0,
  })
  .describe(
    "Any object, such as the input of another workflow. The model reads each field under its name; ids of corpora are left out. A field " +
      "`choices` of { label, text } is a multiple choice.",
  );

export const optionsSchema = z.strictObject({
  form: z
    .enum(FORMS)
    .optional()
    .describe(
      "`text`: the whole reply is the answer; `line`: the reply ends with a line `Answer: …`; `json`: it ends with a block of JSON. By " +
        "default `line` when the input has `choices`, else `text`.",
    ),
  instructions: nonBlankText(4000).optional().describe("What the answer should be, said before the request."),
  functions: z
    .array(functionSchema)
    .min(1)
    .max(64)
    .optional()
    .describe("The caller's own functions; the output then holds the calls that the model would make."),
  ...commonOptions(REVIEW_KINDS),
});

export const STOP_REASONS = ["answered", "formless", "rejected_by_human"] as const;

export const outputSchema = z
  .strictObject({
    answer: z
      .string()
      .nullable()
      .describe("The answer without the reasoning, where `form` separates them; null: the reply lacks the form."),
    answer_json: z.json().optional().describe("The answer as JSON; only with `form: json`."),
    calls: z
      .array(z.strictObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()) }))
      .optional()
      .describe("Calls of the caller's own functions; only with `functions`."),
    document: mainDocument.describe("The whole reply."),
    stop_reason: z.enum(STOP_REASONS).describe("`formless`: the reply lacks the form that was asked for."),
  })
  .meta({ id: "PlainOutput" });

/** The form of the answer that options ask for. */
export const formOf = (input: Input, { form }: Pick<Options, "form">): Form =>
  form ?? (labelsOf(input) ? "line" : "text");

export type Input = z.infer<typeof inputSchema>;
export type Options = z.infer<typeof optionsSchema>;
export type Output = Omit<z.infer<typeof outputSchema>, "document" | "answer_json"> & {
  answer_json?: unknown;
  document: DocumentReference | null;
};
