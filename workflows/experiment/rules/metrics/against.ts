import type { MetricChoice } from "./chosen";
import { JUDGED } from "./judged";
import type { Measure } from "./metric";

/** Measures of metrics that compare two variants, with the variant that the others are compared with: named by the request, or the first. */
export const withAgainst = (
  measures: readonly Measure[],
  choices: readonly MetricChoice[] = [],
  first: string,
): Measure[] =>
  measures.map((measure) => {
    const { metric } = measure;
    if (!Object.hasOwn(JUDGED, metric) || JUDGED[metric]!.kind !== "pair") return measure;
    const named = choices.flatMap((choice) =>
      typeof choice === "object" && choice.name === metric && "against" in choice ? [String(choice.against)] : [],
    );
    return { ...measure, against: named[0] ?? first };
  });
