import { z } from "zod";
import { evaluate } from "./arithmetic/evaluate";
import { shown } from "./arithmetic/quantity";
import { defineTool } from "./tool";

/** Exact arithmetic, so that no agent calculates by itself. */
export const calculator = defineTool({
  name: "calculator",
  description:
    "Evaluates an arithmetic expression. Sums, products, quotients, remainders and whole powers of decimals and fractions are " +
    "exact; roots, logarithms and trigonometry (radians) are correct to 30 digits. Operators: + - * / % (remainder) ^ and " +
    "parentheses. Functions: abs sqrt cbrt exp ln log(x, base) log10 log2 sin cos tan asin acos atan floor ceil " +
    "round(x, decimals) min max sum mean median gcd lcm factorial choose(n, k) permutations(n, k). Constants: pi, e.",
  parameters: z.strictObject({
    expression: z
      .string()
      .min(1)
      .max(2000)
      .describe("Such as (1250 * 0.19 + 3/7) ^ 2; no units, no thousands separators."),
  }),
  call: ({ expression }) => shown(evaluate(expression)),
});
