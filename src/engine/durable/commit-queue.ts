import type { Commitment, NewArtifact } from "#store/artifacts";

interface Waiting {
  artifact: NewArtifact;
  resolve(commitment: Commitment | null): void;
  reject(reason: unknown): void;
}

/** Group commit, FIFO: artifacts that arrive during a commit share the next one, so branches that end together cost one round trip. */
export class CommitQueue {
  private waiting: Waiting[] = [];
  private busy = false;

  /** @param commit writes artifacts in one transaction, in their order; null: D1 refused it */
  constructor(private readonly commit: (artifacts: readonly NewArtifact[]) => Promise<(Commitment | null)[]>) {}

  add(artifact: NewArtifact): Promise<Commitment | null> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ artifact, resolve, reject });
      if (!this.busy) void this.work();
    });
  }

  private async work(): Promise<void> {
    this.busy = true;
    while (this.waiting.length > 0) {
      const group = this.waiting.splice(0);
      try {
        const commitments = await this.commit(group.map(({ artifact }) => artifact));
        group.forEach(({ resolve }, index) => resolve(commitments[index]!));
      } catch (reason) {
        for (const { reject } of group) reject(reason);
      }
    }
    this.busy = false;
  }
}
