import { ANSWER_METRICS } from "./answers";
import { callMatch } from "./calls";
import { CITATION_METRICS } from "./citations";
import { positionChanges } from "./debates";
import { IDEA_METRICS } from "./ideas";
import type { Metric } from "./metric";
import { modelMatch } from "./models";

/** All metrics that code computes, by name. */
export const METRICS: Readonly<Record<string, Metric>> = Object.fromEntries(
  [...ANSWER_METRICS, callMatch, modelMatch, ...CITATION_METRICS, positionChanges, ...IDEA_METRICS].map((metric) => [
    metric.name,
    metric,
  ]),
);
