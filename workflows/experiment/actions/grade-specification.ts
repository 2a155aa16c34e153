import { z } from "zod";
import { defineAction } from "#workflow-kit/action";
import { blanks, escapeUntrusted } from "#workflow-kit/prompt-values";
import prompt from "../../../prompts/experiment/grade_specification.md";
import type { GradeSpecificationInput } from "../inputs/judging";
import { mockGrades } from "../mock/grade-specification";

/** What MARE's raters scored (IV-B). */
export const QUALITIES = ["completeness", "correctness", "consistency"] as const;

const grade = z.strictObject({ reason: z.string(), score: z.int().min(0).max(2) });

const outputSchema = z.strictObject({ completeness: grade, correctness: grade, consistency: grade });

export type SpecificationGrades = z.infer<typeof outputSchema>;

export const gradeSpecification = defineAction<GradeSpecificationInput, SpecificationGrades>({
  name: "grade_specification",
  role: "judge",
  kind: "specification_grades",
  summary: "Scores completeness, correctness and consistency of a requirements specification from 0 to 2.",
  prompt,
  output: outputSchema,
  variables: ({ request, specification }) => ({
    request: escapeUntrusted(request),
    specification: escapeUntrusted(specification),
  }),
  check: (grades) =>
    blanks(QUALITIES.map((quality) => [`The reason of \`${quality}\``, grades[quality].reason] as const)),
  outcomes: ["by_length", "good", "bad"],
  mock: mockGrades,
});
