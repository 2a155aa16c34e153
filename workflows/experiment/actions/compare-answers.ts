import { z } from "zod";
import { defineAction } from "#workflow-kit/action";
import { blanks, escapeUntrusted } from "#workflow-kit/prompt-values";
import prompt from "../../../prompts/experiment/compare_answers.md";
import paperPrompt from "../../../prompts/experiment/paper/compare_answers.md";
import type { CompareAnswersInput } from "../inputs/judging";
import { mockComparison } from "../mock/compare-answers";

const score = z.number().min(1).max(10);

const outputSchema = z.strictObject({
  evidence: z.string().describe("What is good and bad in each answer, before any score."),
  score_1: score,
  score_2: score,
});

/** Two answers to one request, scored from 1 to 10 (Wang et al. 2023, FairEval: evidence first, several samples, both orders). */
export const compareAnswers = defineAction<CompareAnswersInput, z.infer<typeof outputSchema>>({
  name: "compare_answers",
  role: "judge",
  kind: "comparison",
  summary: "Weighs two answers to one request, with evidence before the scores.",
  prompt,
  output: outputSchema,
  decoding: { temperature: 1 },
  variables: ({ request, first, second }) => ({
    request: escapeUntrusted(request),
    first: escapeUntrusted(first),
    second: escapeUntrusted(second),
  }),
  check: ({ evidence }) => blanks([["`evidence`", evidence]]),
  outcomes: ["by_length", "first", "second"],
  mock: mockComparison,
  paper: { prompt: paperPrompt, decoding: { temperature: 1, max_output_tokens: 512 } },
});
