import type { Artifact } from "./artifact";

/** A person rejected an artifact at a review step. The workflow catches this at its top level and completes with the best result so far. */
export class ReviewRejectedError extends Error {
  override name = "ReviewRejectedError";
  constructor(readonly artifact: Artifact) {
    super(`rejected: ${artifact.step}`);
  }
}
