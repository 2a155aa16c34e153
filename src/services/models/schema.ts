import { z } from "zod";

const usd = z.number().nullable();

/** A model that runs may name. */
export const modelSchema = z
  .strictObject({
    object: z.literal("model"),
    model: z.string().describe("`<provider>/<model>`, as `models` of a run names it."),
    default: z.boolean().describe("Whether it is used where a request names none."),
    shutdown_date: z.iso
      .date()
      .nullable()
      .describe("The day on which its provider shuts it down; null: its provider announces none."),
    price: z
      .strictObject({ input: usd, cached_input: usd, output: usd, reasoning: usd })
      .nullable()
      .describe("USD per million tokens, as the deployment has configured them; null: not configured."),
  })
  .meta({ id: "Model" });
export type PresentedModel = z.infer<typeof modelSchema>;

export const modelListSchema = z
  .strictObject({
    data: z.array(modelSchema),
    unavailable: z
      .array(z.strictObject({ provider: z.string(), reason: z.string() }))
      .describe("Providers whose models are not known now. Their models can be named all the same."),
    next_cursor: z.null(),
  })
  .meta({ id: "ModelList" });
export type ModelList = z.infer<typeof modelListSchema>;
