import type { Subject } from "#core/subject";

/** One of several D1 databases, by its binding. */
export interface NamedDatabase {
  name: string;
  db: D1Database;
}

/** Where the row of a subject stands. */
const COLUMNS: Record<Subject["kind"], string> = {
  key_hash: "keys o WHERE o.hash",
  run: "runs o WHERE o.id",
  interaction: "interactions o WHERE o.id",
  endpoint: "webhook_endpoints o WHERE o.id",
  corpus: "corpora o WHERE o.id",
};

/** How long a location is used before it is looked up again. `move-tenant` removes rows from the old database much later. Milliseconds. */
export const LOCATION_MS = 10_000;
/** Subjects whose database is remembered as the one to ask first. */
const MAX_HINTS = 20_000;

/** All databases of a deployment, and which of them was found to hold a subject's row: that one is asked first. */
export class Databases {
  private readonly hints = new Map<string, NamedDatabase>();

  /** @param all at least one; the first is `DB` */
  constructor(readonly all: readonly [NamedDatabase, ...NamedDatabase[]]) {}

  /**
   * The database of a subject's tenant; the first one when none has the subject.
   * @throws what D1 throws, when a database does not answer and no other serves the subject: the rows that a tenant leaves may be old
   */
  async locate(subject: Subject): Promise<NamedDatabase> {
    const hint = this.hints.get(subject.id);
    if (hint && (await ownerIn(hint, subject))?.moving_to === null) return hint;
    const found = await Promise.allSettled(this.all.map((database) => ownerIn(database, subject)));
    const owners = this.all.map((database, n) => ({
      database,
      owner: found[n]?.status === "fulfilled" ? found[n].value : null,
    }));
    const serving = owners.find(({ owner }) => owner?.moving_to === null);
    const failure = found.find((result) => result.status === "rejected");
    if (!serving && failure) throw failure.reason;
    const leaving = owners.find(({ owner }) => owner !== null);
    const database = serving?.database ?? (leaving && (await this.afterMove(leaving.database, leaving.owner!)));
    if (database) this.remember(subject, database);
    return database ?? this.all[0];
  }

  /** Where a tenant is that leaves a database: the subject, which only that one has, may have been deleted since the tenant was moved. */
  private async afterMove(old: NamedDatabase, { tenant_id, moving_to }: OwnerRow): Promise<NamedDatabase> {
    const next = this.all.find(({ name }) => name === moving_to);
    const row = await next?.db.prepare("SELECT 1 AS is_there FROM tenants WHERE id = ?").bind(tenant_id).first();
    return next && row ? next : old;
  }

  private remember({ id }: Subject, database: NamedDatabase): void {
    if (this.hints.size >= MAX_HINTS) this.hints.clear();
    this.hints.set(id, database);
  }
}

/** The tenant of a subject, and the database for which it leaves this one; null: it stays. */
interface OwnerRow {
  tenant_id: string;
  moving_to: string | null;
}

/** The owner of the subject's row in a database; null: the database has no such row. */
const ownerIn = ({ db }: NamedDatabase, { kind, id }: Subject): Promise<OwnerRow | null> =>
  db
    .prepare(
      `SELECT o.tenant_id, (SELECT moving_to FROM tenants WHERE id = o.tenant_id) AS moving_to FROM ${COLUMNS[kind]} = ?`,
    )
    .bind(id)
    .first<OwnerRow>();

/** The database of one subject, for as long as work on it lasts: it may be moved meanwhile. */
export class Placement {
  private known: { database: NamedDatabase; at: number } | null = null;

  constructor(
    private readonly databases: Databases,
    private readonly subject: Subject,
  ) {}

  /** @throws what D1 throws */
  async current(): Promise<NamedDatabase> {
    if (!this.known || Date.now() - this.known.at > LOCATION_MS)
      this.known = { database: await this.databases.locate(this.subject), at: Date.now() };
    return this.known.database;
  }

  /** Works on the current database. After a failure it is looked up again: writes to a tenant that is being moved are refused. */
  async on<T>(work: (database: NamedDatabase) => Promise<T>): Promise<T> {
    const database = await this.current();
    try {
      return await work(database);
    } catch (error) {
      this.known = null;
      throw error;
    }
  }
}

/** A statement that is prepared where its tenant is when it is executed. */
class PlacedStatement {
  constructor(
    private readonly placement: Placement,
    private readonly sql: string,
    private readonly values: readonly unknown[] = [],
  ) {}

  bind(...values: unknown[]): PlacedStatement {
    return new PlacedStatement(this.placement, this.sql, values);
  }
  prepared({ db }: NamedDatabase): D1PreparedStatement {
    return db.prepare(this.sql).bind(...this.values);
  }
  first(...column: [string] | []): Promise<unknown> {
    return this.placement.on((database) =>
      (this.prepared(database).first as (...column: string[]) => Promise<unknown>)(...column),
    );
  }
  run(): Promise<D1Result> {
    return this.placement.on((database) => this.prepared(database).run());
  }
  all(): Promise<D1Result> {
    return this.placement.on((database) => this.prepared(database).all());
  }
}

/** D1 with the calls that the stores make, on the database of a subject's tenant. */
export function placedD1(placement: Placement): D1Database {
  const placed = {
    prepare: (sql: string) => new PlacedStatement(placement, sql),
    batch: (statements: readonly PlacedStatement[]) =>
      placement.on((database) => database.db.batch(statements.map((statement) => statement.prepared(database)))),
  };
  return placed as unknown as D1Database;
}
