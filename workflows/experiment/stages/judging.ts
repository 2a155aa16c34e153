import type { DocumentReference } from "#workflow-kit/artifact";
import type { ExperimentContext } from "../context";
import type { EndedTrial } from "./ended-trials";

/**
 * Judged metrics of all trials, inside the stage `scoring`, after the metrics that code computes. Returns the artifacts `judgements`: lists of
 * `Judgement` (rules/judgements.ts). A failed judgement is an entry with its reason, and no score.
 */
export async function judgeTrials(
  _context: ExperimentContext,
  _ended: readonly EndedTrial[],
): Promise<DocumentReference[]> {
  return [];
}
