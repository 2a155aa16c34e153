import { z } from "zod";

const range = (unit: string) =>
  z
    .strictObject({ low: z.number(), high: z.number() })
    .describe(`${unit}: from a run that goes smoothly to one that takes every loop.`);

const parts = {
  calls: range("Model calls"),
  input_tokens: range("Tokens of prompts"),
  output_tokens: range("Tokens of answers"),
  cost_usd: range("US dollars").nullable().describe("null: a model has no known price; see `unpriced_models`."),
};

/** The estimated use of a run. */
export const estimateSchema = z
  .strictObject({
    object: z.literal("run_estimate"),
    workflow: z.string(),
    ...parts,
    unpriced_models: z.array(z.string()),
    earlier_runs: z
      .int()
      .describe(
        "Completed runs of the workflow in this mode whose tokens a call the estimate uses; 0: only the prompts were measured.",
      ),
    children: z
      .array(z.strictObject({ name: z.string(), runs: z.int(), ...parts }))
      .describe("Of a run that starts runs: what those of each variant use together. Included in the sums above."),
    notes: z.array(z.string()).describe("What the estimate leaves out or assumes."),
  })
  .meta({ id: "RunEstimate" });

export type RunEstimate = z.infer<typeof estimateSchema>;
