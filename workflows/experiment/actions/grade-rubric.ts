import { z } from "zod";
import { defineAction } from "#workflow-kit/action";
import { blanks, escapeUntrusted, line } from "#workflow-kit/prompt-values";
import prompt from "../../../prompts/experiment/grade_rubric.md";
import type { GradeRubricInput } from "../inputs/judging";
import { mockRubric } from "../mock/grade-rubric";

const outputSchema = z.strictObject({
  grades: z
    .array(
      z.strictObject({
        point: z.string().describe("`P1`, `P2`, …"),
        reason: z.string(),
        points: z.number().min(0),
      }),
    )
    .describe("One for each point of the rubric, in its order."),
});

type Output = z.infer<typeof outputSchema>;

/** Points for each point of a rubric, none above its maximum. */
export const gradeRubric = defineAction<GradeRubricInput, Output>({
  name: "grade_rubric",
  role: "judge",
  kind: "rubric_grades",
  summary: "Gives an answer points by the item's rubric, each with its reason first.",
  prompt,
  output: outputSchema,
  variables: ({ request, answer, rubric, reference }) => ({
    request: escapeUntrusted(request),
    answer: escapeUntrusted(answer),
    reference: reference && escapeUntrusted(reference),
    rubric: rubric.map(({ text, points }, index) => `P${index + 1} (0 to ${points}): ${line(text)}`).join("\n"),
  }),
  check: ({ grades }, { rubric }) => errorsIn(grades, rubric),
  outcomes: ["graded", "full", "nothing"],
  mock: mockRubric,
});

function errorsIn(grades: Output["grades"], rubric: GradeRubricInput["rubric"]): string[] {
  const wanted = rubric.map((_, index) => `P${index + 1}`);
  if (grades.map(({ point }) => point).join() !== wanted.join())
    return [`\`grades\` has one entry for each of ${wanted.join(", ")}, in this order.`];
  const above = grades.flatMap(({ point, points }, index) =>
    points > rubric[index]!.points
      ? [`${point} has ${points} points, and its maximum is ${rubric[index]!.points}.`]
      : [],
  );
  return [...above, ...blanks(grades.map(({ point, reason }) => [`The reason of ${point}`, reason] as const))];
}
