import { z } from "zod";
import { DEFAULT_OPENAI_MODEL } from "./default-model";

/** Parameters of one call, which callers of the API may set per role. Absent ones are not sent. */
export const modelParametersSchema = z.strictObject({
  temperature: z.number(),
  top_p: z.number(),
  max_output_tokens: z.int(),
  frequency_penalty: z.number(),
  presence_penalty: z.number(),
  seed: z.int(),
  reasoning_effort: z
    .enum(["none", "minimal", "low", "medium", "high", "xhigh", "max"])
    .describe("How much the model reasons before it answers. Supported values depend on the model."),
  verbosity: z.enum(["low", "medium", "high"]).describe("How long the answer is, for models that support it."),
});
export type ModelParameters = Partial<z.infer<typeof modelParametersSchema>>;

/** The model of a role: `<provider>/<model>` and its parameters. */
export const resolvedModelSchema = z
  .strictObject({
    model: z.string().meta({ example: `openai/${DEFAULT_OPENAI_MODEL}` }),
    fallbacks: z.array(z.string()).optional().describe("Asked in this order while the model cannot be."),
    ...modelParametersSchema.partial().shape,
  })
  .meta({ id: "ResolvedModel" });
export type ResolvedModel = z.infer<typeof resolvedModelSchema>;
