import type { AnalysisInput } from "../rules/analysis-types";

/** All trials as NDJSON, one object a line. */
export const trialsNdjson = ({ results }: Pick<AnalysisInput, "results">): string =>
  results.map((trial) => `${JSON.stringify(trial)}\n`).join("");
