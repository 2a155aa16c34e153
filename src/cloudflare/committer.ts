import { DurableObject } from "cloudflare:workers";
import { availableD1, type BoundStatement } from "#store/availability";
import { boundDatabases } from "./databases";
import { type CommitOutcome, GroupCommit } from "#store/group-commit";

/**
 * Commits to D1 for the runs of one tenant, whose id is the object's name, in groups (ARCHITECTURE.md, "Group commit"). An object, because its
 * callers share one context in it: an isolate's requests cannot wait for each other's calls. It stores nothing itself.
 */
export class Committer extends DurableObject<Env> {
  private readonly groups = new Map<string, GroupCommit>();

  /** @param database the binding of the tenant's database, which changes when the tenant is moved */
  commit(statements: readonly BoundStatement[], database = "DB"): Promise<CommitOutcome> {
    return this.groupOf(database).commit(statements);
  }

  private groupOf(name: string): GroupCommit {
    const known = this.groups.get(name);
    if (known) return known;
    const { db } = boundDatabases(this.env).all.find((database) => database.name === name)!;
    const group = new GroupCommit(availableD1(db));
    this.groups.set(name, group);
    return group;
  }
}
