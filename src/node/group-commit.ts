import type { DatabaseSync, StatementSync } from "node:sqlite";

/** How the writes to a database become transactions. */
export interface Transactions {
  /** Executes work that writes; an error undoes all that the work has written, and nothing else. */
  perform<T>(work: () => T): T;
  /** The same for work that is one statement, which SQLite undoes by itself. */
  single<T>(work: () => T): T;
}

const controls = (database: DatabaseSync) => {
  const known = new Map<string, StatementSync>();
  return (sql: string) => {
    const statement = known.get(sql) ?? database.prepare(sql);
    known.set(sql, statement);
    statement.run();
  };
};

/** Each piece of work is a transaction, committed when the work is done. */
export function eachAlone(database: DatabaseSync): Transactions {
  const control = controls(database);
  return {
    perform(work) {
      control("BEGIN");
      try {
        const value = work();
        control("COMMIT");
        return value;
      } catch (error) {
        if (database.isTransaction) control("ROLLBACK");
        throw error;
      }
    },
    single: (work) => work(),
  };
}

interface Group {
  committed: PromiseWithResolvers<void>;
  cancel: () => void;
}

/** All work of one turn of the event loop is one transaction with one fsync: a group. */
class GroupCommit implements Transactions {
  private group: Group | null = null;
  private readonly control: (sql: string) => void;

  /** @param onLost is called when a group was not committed: nothing of it is stored */
  constructor(
    private readonly database: DatabaseSync,
    private readonly onLost: () => void,
  ) {
    this.control = controls(database);
  }

  /** Settles when what was written before is on the disk; undefined: it is there already. */
  get committed(): Promise<void> | undefined {
    return this.group?.committed.promise;
  }

  perform<T>(work: () => T): T {
    return this.inGroup(() => {
      this.control("SAVEPOINT work");
      try {
        return work();
      } catch (error) {
        if (this.database.isTransaction) this.control("ROLLBACK TO work");
        throw error;
      } finally {
        if (this.database.isTransaction) this.control("RELEASE work");
      }
    });
  }

  single<T>(work: () => T): T {
    return this.inGroup(work);
  }

  private inGroup<T>(work: () => T): T {
    const group = this.begin();
    try {
      return work();
    } catch (error) {
      // Some errors, such as a full disk, make SQLite undo the whole transaction.
      if (!this.database.isTransaction) this.lose(group, error);
      throw error;
    }
  }

  private begin(): Group {
    if (this.group) return this.group;
    this.control("BEGIN IMMEDIATE");
    const immediate = setImmediate(() => this.commit());
    const committed = Promise.withResolvers<void>();
    committed.promise.catch(() => {}); // it may be that no caller waits
    this.group = { committed, cancel: () => clearImmediate(immediate) };
    return this.group;
  }

  /** Commits the open group. */
  commit(): void {
    const { group } = this;
    if (!group) return;
    try {
      this.control("COMMIT");
    } catch (error) {
      if (this.database.isTransaction) this.control("ROLLBACK");
      return this.lose(group, error);
    }
    this.close(group);
    group.committed.resolve();
  }

  private lose(group: Group, error: unknown): void {
    this.close(group);
    group.committed.reject(error);
    this.onLost();
  }

  private close(group: Group): void {
    group.cancel();
    this.group = null;
  }
}

/**
 * Group commit for the databases of a process. What callers write within one turn of the event loop shares a transaction and its fsync; a
 * call is answered after that (`Host`). Work that fails is undone alone. A group that cannot be committed fails for all its callers.
 */
export class GroupCommits {
  private readonly groups = new Map<DatabaseSync, GroupCommit>();

  /** Is called when a group was lost. */
  onLost: () => void = () => {};

  of = (database: DatabaseSync): Transactions => {
    const known = this.groups.get(database) ?? new GroupCommit(database, () => this.onLost());
    this.groups.set(database, known);
    return known;
  };

  /** Settles when all that was written before is on the disk; undefined: it is there already. Rejects when a group was lost. */
  committed(): Promise<unknown> | undefined {
    const open: Promise<void>[] = [];
    for (const { committed } of this.groups.values()) if (committed) open.push(committed);
    return open.length > 1 ? Promise.all(open) : open[0];
  }

  /** Commits all that is open now. */
  flush(): void {
    for (const group of this.groups.values()) group.commit();
  }
}
