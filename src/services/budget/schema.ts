import { z } from "zod";
import { AT_LIMITS } from "#core/vocabulary";
import { time } from "../fields/schema";

const amount = z.number().positive().max(1_000_000);
const atLimit = z
  .enum(AT_LIMITS)
  .describe(
    "What happens at 100 %: `refuse`, new live runs, or only an `alarm`. Runs that have started continue. With `refuse`, a new live run needs a price for each of its models (422 `no_price`).",
  );

export const budgetSchema = z
  .strictObject({
    object: z.literal("budget"),
    amount_usd: z.number().nullable().describe("For a calendar month, UTC; null: there is none."),
    at_limit: atLimit,
    month: z.string(),
    spent_usd: z.number().describe("Of live mode in this month, as far as prices are known."),
    unpriced_calls: z
      .int()
      .describe("Model calls of live mode in this month whose cost is not known: `spent_usd` does not count them."),
    reached: z.array(z.int()).describe("Percents whose `budget.reached` was sent this month."),
    resets_at: time,
  })
  .meta({ id: "Budget" });
export type PresentedBudget = z.infer<typeof budgetSchema>;

/** The body of `PUT /v1/budget`. */
export const putBudgetSchema = z
  .strictObject({
    amount_usd: amount.nullable().describe("null removes the budget."),
    at_limit: atLimit.default("alarm"),
  })
  .meta({ id: "PutBudget" });
export type PutBudget = z.output<typeof putBudgetSchema>;
