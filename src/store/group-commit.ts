import { type BoundStatement, boundStatement } from "./availability";
import { byName, type RowsBy, type Statements } from "./batch";
import { GroupQueue } from "#core/group-queue";
import { StorageUnavailableError } from "#core/unavailable";

/** The rows of each statement; or why the commit failed. `passing`: whether it was executed is not known, and the same commit succeeds later. */
export type CommitOutcome = { rows: Record<string, unknown>[][] } | { failure: string; passing: boolean };

/** Port to what commits for all runs of a tenant. @throws StorageUnavailableError */
export type Commit = (tenant: string, statements: readonly BoundStatement[]) => Promise<CommitOutcome>;

/**
 * Characters of SQL and values. A step's statement has about two thousand and its content, so a batch has at most some two hundred steps (D1 allows
 * a thousand statements for each call of a Worker), and what waits takes at most 16 MB of the object's 128.
 */
const MAX_BATCH_SIZE = 500_000;
const MAX_WAITING = 8_000_000;

/** Under load each batch gathers for a moment; a commit on its own goes at once. Milliseconds. */
const BUSY_MS = 20;
const GATHER_MS = 1;
/** Less than a caller waits for its answer (cloudflare/platform.ts), so that the commit which it repeats finds the lost batch given up. Milliseconds. */
const LOST_MS = 10_000;

const sizeOf = (statements: readonly BoundStatement[]) =>
  statements.reduce(
    (sum, { sql, values }) =>
      sum + sql.length + values.reduce<number>((all, value) => all + (typeof value === "string" ? value.length : 8), 0),
    0,
  );

/**
 * Group commit over runs: commits that arrive while a batch is under way go to D1 together, as one transaction, in the order of arrival. Each
 * keeps its own rows. When a batch fails, each of its commits is sent again alone, at most twice in all, so commits hold only statements that
 * may be repeated. A batch whose answer is lost holds up the others for ten seconds, and may still be executed later.
 */
export class GroupCommit {
  private readonly queue = new GroupQueue<readonly BoundStatement[], CommitOutcome>((commits) => this.send(commits), {
    sizeOf,
    largestGroup: MAX_BATCH_SIZE,
    mostWaiting: MAX_WAITING,
    busy_ms: BUSY_MS,
    gather_ms: GATHER_MS,
    lost_ms: LOST_MS,
  });

  /** @param db throws StorageUnavailableError where a failure passes (`availableD1`) */
  constructor(private readonly db: D1Database) {}

  /** Errors are values here: classes of errors do not survive the way out of a Durable Object. */
  async commit(statements: readonly BoundStatement[]): Promise<CommitOutcome> {
    try {
      return await this.queue.add(statements);
    } catch (error) {
      return failed(error);
    }
  }

  private async send(commits: readonly (readonly BoundStatement[])[]): Promise<CommitOutcome[]> {
    if (commits.length > 1) {
      const batch = await this.execute(commits.flat());
      if ("rows" in batch) return commits.map(({ length }) => ({ rows: batch.rows.splice(0, length) }));
    }
    return Promise.all(commits.map((commit) => this.execute(commit)));
  }

  private async execute(statements: readonly BoundStatement[]): Promise<CommitOutcome> {
    try {
      const prepared = statements.map(({ sql, values }) => this.db.prepare(sql).bind(...values));
      const results = await this.db.batch<Record<string, unknown>>(prepared);
      return { rows: results.map((result) => result.results) };
    } catch (error) {
      return failed(error);
    }
  }
}

const failed = (error: unknown): CommitOutcome => ({
  failure: error instanceof Error ? error.message : String(error),
  passing: error instanceof StorageUnavailableError,
});

/** Commits of statements that may be repeated: executed again, they change nothing. */
export class RepeatableCommits {
  /** @param commit null: each commit goes to D1 by itself */
  constructor(
    private readonly db: D1Database,
    private readonly commit: Commit | null,
  ) {}

  /**
   * Executes statements in one transaction, perhaps twice.
   * @returns the rows of each, by its name
   * @throws StorageUnavailableError; or Error: a bug of ours
   */
  execute<S extends Statements>(tenant: string, statements: S): Promise<RowsBy<S>> {
    return byName(statements, (list) => this.rowsOf(tenant, list));
  }

  private async rowsOf(tenant: string, list: D1PreparedStatement[]): Promise<unknown[][]> {
    if (!this.commit) return (await this.db.batch(list)).map(({ results }) => results);
    const outcome = await this.commit(tenant, list.map(boundStatement));
    if ("rows" in outcome) return outcome.rows;
    throw outcome.passing ? new StorageUnavailableError("committer", outcome.failure) : new Error(outcome.failure);
  }
}
