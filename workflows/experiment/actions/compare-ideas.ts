import { z } from "zod";
import { defineAction } from "#workflow-kit/action";
import { blanks, escapeUntrusted } from "#workflow-kit/prompt-values";
import prompt from "../../../prompts/experiment/compare_ideas.md";
import type { CompareIdeasInput } from "../inputs/judging";
import { mockIdeas } from "../mock/compare-ideas";

const outputSchema = z.strictObject({
  comparison: z.string().describe("What speaks for each of them."),
  better: z.enum(["1", "2"]),
});

/** Two research proposals on one topic (Ueda et al., 4.2; Si et al., 4.3); asked in both orders. */
export const compareIdeas = defineAction<CompareIdeasInput, z.infer<typeof outputSchema>>({
  name: "compare_ideas",
  role: "judge",
  kind: "idea_comparison",
  summary: "Decides which of two research proposals on one topic is better.",
  prompt,
  output: outputSchema,
  variables: ({ topic, first, second }) => ({
    topic: escapeUntrusted(topic),
    first: escapeUntrusted(first),
    second: escapeUntrusted(second),
  }),
  check: ({ comparison }) => blanks([["`comparison`", comparison]]),
  outcomes: ["by_length", "first", "second"],
  mock: mockIdeas,
});
