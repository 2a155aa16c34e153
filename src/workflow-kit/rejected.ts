import type { Artifact } from "./artifact";

/** A person rejected an artifact at a checkpoint. A workflow catches it at its top and completes with the best so far. */
export class Rejected extends Error {
  override name = "Rejected";
  constructor(readonly artifact: Artifact) {
    super(`rejected: ${artifact.act}`);
  }
}
