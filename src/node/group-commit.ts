import { closeSync, existsSync, fdatasync, openSync } from "node:fs";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { StorageUnavailableError } from "#core/unavailable";

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

/** Callers that wait until their writes are on the disk. */
interface Group {
  durable: PromiseWithResolvers<void>;
  cancel: () => void;
}

/**
 * All work of one turn of the event loop is one transaction: a group. The turn ends with its last call (`realHost`), at the latest when the event
 * loop comes to its next. While the log is synced, a group lasts until the sync has ended.
 */
class GroupCommit implements Transactions {
  /** Its transaction is open. */
  private group: Group | null = null;
  /** Is committed, and waits until the log is on the disk. */
  private unsynced: Group[] = [];
  private isSyncing = false;
  private log: number | null = null;
  private readonly control: (sql: string) => void;

  constructor(
    private readonly database: DatabaseSync,
    private readonly events: { onLost: (error: Error) => void; onDiskFailure: (error: Error) => void },
  ) {
    this.control = controls(database);
  }

  /** Settles when what was written before is on the disk; undefined: it is there already. */
  get durable(): Promise<void> | undefined {
    return (this.group ?? this.unsynced.at(-1))?.durable.promise;
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
    const immediate = setImmediate(() => this.endTurn());
    const durable = Promise.withResolvers<void>();
    durable.promise.catch(() => {}); // it may be that no caller waits
    this.group = { durable, cancel: () => clearImmediate(immediate) };
    return this.group;
  }

  /** Commits the open group, unless a sync is under way: what else is written until its end would wait for the next sync all the same. */
  endTurn(): void {
    if (!this.isSyncing) this.commit();
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
    this.unsynced.push(group);
    this.sync();
  }

  /** Syncs the log on another thread, once at a time: groups that are committed meanwhile go with the next time. */
  private sync(): void {
    if (this.isSyncing || this.unsynced.length === 0) return;
    const groups = this.unsynced.slice();
    this.isSyncing = true;
    this.log ??= openLog(this.database);
    fdatasync(this.log, (error) => {
      this.isSyncing = false;
      if (error) return this.events.onDiskFailure(error);
      this.unsynced.splice(0, groups.length);
      for (const { durable } of groups) durable.resolve();
      this.commit();
      this.sync();
    });
  }

  /** Commits the open group, and closes the log once it is on the disk. */
  async end(): Promise<void> {
    this.commit();
    await this.durable;
    if (this.log !== null) closeSync(this.log);
    this.log = null;
  }

  private lose(group: Group, cause: unknown): void {
    this.close(group);
    const error = new StorageUnavailableError("The write was not committed", cause);
    group.durable.reject(error);
    this.events.onLost(error);
  }

  private close(group: Group): void {
    group.cancel();
    this.group = null;
  }
}

/** Opens the file that a database writes its commits to. It is the same one as long as the database is open. */
function openLog(database: DatabaseSync): number {
  const log = `${database.location()}-wal`;
  if (!existsSync(log)) throw new Error(`${log} does not exist: group commit needs a write-ahead log.`);
  return openSync(log, "r");
}

/**
 * Group commit for the databases of a process. What callers write within one turn of the event loop, or while the log is synced, shares a
 * transaction. The sync does not block the thread. A call is answered after that (`Host`), also one that
 * has only read. Work that fails is undone alone. A group that cannot be committed fails for all its callers.
 *
 * The databases are in WAL mode with synchronous=NORMAL: a commit writes to the log, and SQLite syncs it only before a checkpoint. The sync
 * after each group is the one that synchronous=FULL would make.
 */
export class GroupCommits {
  private readonly groups = new Map<DatabaseSync, GroupCommit>();

  /** Is called when a group was lost: nothing of it is stored. */
  onLost: (error: Error) => void = () => {};

  /** Is called when the log could not be synced: how much of it is on the disk is unknown, and no caller is answered. */
  onDiskFailure: (error: Error) => void = (error) => {
    throw error;
  };

  of = (database: DatabaseSync): Transactions => {
    const known =
      this.groups.get(database) ??
      new GroupCommit(database, {
        onLost: (error) => this.onLost(error),
        onDiskFailure: (error) => this.onDiskFailure(error),
      });
    this.groups.set(database, known);
    return known;
  };

  /** Settles when all that was written before is on the disk; undefined: it is there already. Rejects when a group was lost. */
  durable(): Promise<unknown> | undefined {
    const open: Promise<void>[] = [];
    for (const { durable } of this.groups.values()) if (durable) open.push(durable);
    return open.length > 1 ? Promise.all(open) : open[0];
  }

  /** Commits what is open, as at the end of a turn. */
  endTurn(): void {
    for (const group of this.groups.values()) group.endTurn();
  }

  /** Commits all that is open, and waits until it is on the disk. The databases can then be closed. */
  async end(): Promise<void> {
    await Promise.all([...this.groups.values()].map((group) => group.end()));
  }
}
