import type { Commitment, NewArtifact } from "#store/artifacts";

interface Waiting {
  artifact: NewArtifact;
  done(commitment: Commitment | null): void;
  failed(reason: unknown): void;
}

/**
 * The commits of one stay in a stage, in the order in which they are asked for. What comes while one is under way goes with the next:
 * branches that end together take one round trip, not one each.
 */
export class CommitQueue {
  private waiting: Waiting[] = [];
  private busy = false;

  /** @param send writes artifacts in one transaction, in their order; null stands for one that was refused */
  constructor(private readonly send: (artifacts: readonly NewArtifact[]) => Promise<(Commitment | null)[]>) {}

  add(artifact: NewArtifact): Promise<Commitment | null> {
    return new Promise((done, failed) => {
      this.waiting.push({ artifact, done, failed });
      if (!this.busy) void this.work();
    });
  }

  private async work(): Promise<void> {
    this.busy = true;
    while (this.waiting.length > 0) {
      const together = this.waiting.splice(0);
      try {
        const commitments = await this.send(together.map(({ artifact }) => artifact));
        together.forEach(({ done }, at) => done(commitments[at]!));
      } catch (reason) {
        for (const { failed } of together) failed(reason);
      }
    }
    this.busy = false;
  }
}
