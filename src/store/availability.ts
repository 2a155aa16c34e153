import { onAvailable } from "#core/unavailable";

/**
 * The one place that tells failures of storage from bugs: D1 and R2 as the stores use them, whose passing failures are thrown as StorageUnavailableError.
 */

/** SQLite's codes for statements that fail again however often they are executed. D1 puts the code at the end of its message. */
const WRONG_STATEMENT = /SQLITE_(CONSTRAINT|ERROR|MISMATCH|RANGE|TOOBIG|AUTH|MISUSE|SCHEMA|NOTFOUND)\b|^D1_TYPE_ERROR/;

/** The error of the triggers that refuse writes while a backup is taken (scripts/backup/hold.ts). */
const HELD = "writes_are_held";

/** R2's codes, which it puts at the end of its message: internal error, too many requests, service unavailable, timeout. */
const PASSING_R2_CODES = new Set(["10001", "10043", "10054", "10058"]);

const isMisuse = (error: unknown) => error instanceof TypeError || error instanceof RangeError;
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** An error of a statement or its values. Everything else that D1 throws is about its own state. */
export const isD1Bug = (error: unknown): boolean =>
  isMisuse(error) || (WRONG_STATEMENT.test(messageOf(error)) && !messageOf(error).includes(HELD));

/** An error of a request to R2. Without a code it is about the connection. */
export function isR2Bug(error: unknown): boolean {
  const code = /\((\d{5,6})\)\s*$/.exec(messageOf(error))?.[1];
  return isMisuse(error) || (code !== undefined && !PASSING_R2_CODES.has(code));
}

const onD1 = <T>(call: () => Promise<T>) => onAvailable("D1", call, isD1Bug);

class Statement {
  constructor(
    readonly inner: D1PreparedStatement,
    readonly sql: string,
    readonly values: readonly unknown[] = [],
  ) {}

  bind(...values: unknown[]): Statement {
    return new Statement(this.inner.bind(...values), this.sql, values);
  }
  first(...column: [string] | []): Promise<unknown> {
    return onD1(() => (this.inner.first as (...column: string[]) => Promise<unknown>)(...column));
  }
  run(): Promise<D1Result> {
    return onD1(() => this.inner.run());
  }
  all(): Promise<D1Result> {
    return onD1(() => this.inner.all());
  }
}

/**
 * SQLite plans a statement anew whenever a parameter is bound that its LIMIT names, because the plan may depend on the number. A sign before
 * the parameter hides the number from the planner, and changes nothing else (sqlite3ExprIsInteger in SQLite's expr.c).
 */
const withStablePlan = (sql: string): string => sql.replace(/\bLIMIT \?/g, "LIMIT +?");

/** D1 with the calls that the stores make. */
export function availableD1(db: D1Database): D1Database {
  const available = {
    prepare: (sql: string) => new Statement(db.prepare(withStablePlan(sql)), sql),
    batch: (statements: readonly Statement[]) => onD1(() => db.batch(statements.map(({ inner }) => inner))),
  };
  return available as unknown as D1Database;
}

/** A statement as data, which another isolate can execute. */
export interface BoundStatement {
  sql: string;
  values: readonly (string | number | null)[];
}

/** A statement of `availableD1` as data. @param statement has only texts, numbers and null as its values */
export function boundStatement(statement: D1PreparedStatement): BoundStatement {
  const { sql, values } = statement as unknown as Statement;
  return { sql, values: values as BoundStatement["values"] };
}

/** R2, and what it hands out: the bodies of objects, and uploads in parts. */
export const availableR2 = (bucket: R2Bucket): R2Bucket => guarded(bucket);

function guarded<T extends object>(target: T): T {
  return new Proxy(target, {
    get(inner, name) {
      const value: unknown = Reflect.get(inner, name, inner);
      if (typeof value !== "function") return value;
      return (...values: unknown[]) =>
        onAvailable(
          "R2",
          async () => {
            const result: unknown = await (inner as any)[name](...values);
            return isHandle(result) ? guarded(result) : result;
          },
          isR2Bug,
        );
    },
  });
}

/** An object with methods that call R2. */
const isHandle = (value: unknown): value is object =>
  typeof value === "object" && value !== null && ("arrayBuffer" in value || "uploadPart" in value);
