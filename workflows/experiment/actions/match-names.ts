import { z } from "zod";
import { defineAction } from "#workflow-kit/action";
import { line, repeated } from "#workflow-kit/prompt-values";
import prompt from "../../../prompts/experiment/match_names.md";
import type { MatchNamesInput, NamedElement } from "../inputs/judging";
import { mockMatches } from "../mock/match-names";

const outputSchema = z.strictObject({
  pairs: z
    .array(z.strictObject({ found: z.string().describe("`F1`, `F2`, …"), right: z.string().describe("`R1`, `R2`, …") }))
    .describe("Elements that mean the same; each element in one pair at most."),
});

type Pairs = z.infer<typeof outputSchema>["pairs"];

/** Elements of a requirements model and of the gold that mean the same under different names. */
export const matchNames = defineAction<MatchNamesInput, z.infer<typeof outputSchema>>({
  name: "match_names",
  role: "judge",
  kind: "matched_names",
  summary: "Says which elements of two requirements models mean the same.",
  prompt,
  output: outputSchema,
  variables: ({ found, right }) => ({ found: listOf(found), right: listOf(right) }),
  check: ({ pairs }, input) => errorsIn(pairs, input),
  outcomes: ["same_names", "nothing"],
  mock: mockMatches,
});

const listOf = (elements: readonly NamedElement[]): string[] =>
  elements.map(({ id, type, name }) => `${id} (${line(type)}): ${line(name)}`);

function errorsIn(pairs: Pairs, { found, right }: MatchNamesInput): string[] {
  const unknown = (side: "found" | "right", elements: readonly NamedElement[]) =>
    pairs.flatMap((pair) =>
      elements.some(({ id }) => id === pair[side]) ? [] : [`There is no element ${pair[side]} in \`${side}\`.`],
    );
  return [
    ...unknown("found", found),
    ...unknown("right", right),
    ...repeated(
      "element",
      pairs.flatMap((pair) => [pair.found, pair.right]),
    ),
  ];
}
