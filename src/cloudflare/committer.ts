import { DurableObject } from "cloudflare:workers";
import { availableD1, type BoundStatement } from "#store/availability";
import { type CommitOutcome, GroupCommit } from "#store/group-commit";

/**
 * Commits to D1 for the runs of one tenant, whose id is the object's name, in groups (ARCHITECTURE.md, "Group commit"). An object, because its
 * callers share one context in it: an isolate's requests cannot wait for each other's calls. It stores nothing itself.
 */
export class Committer extends DurableObject<Env> {
  private readonly group = new GroupCommit(availableD1(this.env.DB));

  commit(statements: readonly BoundStatement[]): Promise<CommitOutcome> {
    return this.group.commit(statements);
  }
}
