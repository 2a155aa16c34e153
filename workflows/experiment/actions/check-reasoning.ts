import { z } from "zod";
import { defineAction } from "#workflow-kit/action";
import { blanks, escapeUntrusted, line } from "#workflow-kit/prompt-values";
import prompt from "../../../prompts/experiment/check_reasoning.md";
import type { CheckReasoningInput } from "../inputs/judging";
import { mockReasoning } from "../mock/check-reasoning";

const outputSchema = z.strictObject({
  premises: z.array(
    z.strictObject({ party: z.string(), premise: z.string(), reason: z.string(), entailed: z.boolean() }),
  ),
});

/** Whether a rationale entails the main premises of debaters. A language model stands in for an entailment model (spec, ambiguity 10). */
export const checkReasoning = defineAction<CheckReasoningInput, z.infer<typeof outputSchema>>({
  name: "check_reasoning",
  role: "judge",
  kind: "reasoning_check",
  summary: "Finds the main premises of the debaters who prevailed, and says whether the rationale entails them.",
  prompt,
  output: outputSchema,
  variables: ({ debate, rationale, parties }) => ({
    debate: escapeUntrusted(debate),
    rationale: rationale.map((point) => `- ${line(point)}`),
    parties: parties.map(line),
  }),
  check: ({ premises }, { parties }) => [
    ...(premises.map(({ party }) => party).join() === parties.join()
      ? []
      : [`\`premises\` has one entry for each of ${parties.join(", ")}, in this order.`]),
    ...blanks(
      premises.flatMap(({ party, premise, reason }) => [
        [`The premise of ${party}`, premise] as const,
        [`The reason of ${party}`, reason] as const,
      ]),
    ),
  ],
  outcomes: ["entailed", "not_entailed"],
  mock: mockReasoning,
});
