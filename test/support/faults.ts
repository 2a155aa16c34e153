/** Faults at the platform's edge: bindings whose calls fail before they are executed, or are executed and lose their answer. */

export interface EdgeCall {
  /** Name of the binding: DB, BUCKET, RUNS, or that of a Durable Object. */
  binding: string;
  /** The method; of D1 with the statements. */
  operation: string;
}

/** `before`: the call fails and has no effect; `after`: it is executed, and its answer is lost; `ok`: it is left alone. */
export type Fault = "ok" | "before" | "after";

/** Decides about each call; may wait first. */
export type Decide = (call: EdgeCall) => Fault | Promise<Fault>;

type Faulted = Pick<
  Env,
  | "DB"
  | "BUCKET"
  | "RUNS"
  | "MAINTENANCE"
  | "WEBHOOKS"
  | "INDEXERS"
  | "FEEDS"
  | "PROVIDER_GATES"
  | "RATE_LIMITS"
  | "COMMITTERS"
>;

/** The environment with bindings that fail as `decide` says. One that the host does not have (on Node that of the committer) stays absent. */
export function withFaults<E extends Faulted>(env: E, decide: Decide): E {
  const names = [
    "MAINTENANCE",
    "WEBHOOKS",
    "INDEXERS",
    "FEEDS",
    "PROVIDER_GATES",
    "RATE_LIMITS",
    "COMMITTERS",
  ] as const;
  const objects = names.filter((name) => env[name] !== undefined);
  return {
    ...env,
    DB: faultyD1(env.DB, decide),
    BUCKET: faulty(env.BUCKET, "BUCKET", decide, () => new Error("We encountered an internal error. (10001)")),
    RUNS: faulty(env.RUNS, "RUNS", decide, () => new Error("Network connection lost.")),
    ...Object.fromEntries(objects.map((name) => [name, faultyObjects(env[name] as never, name, decide)])),
  };
}

async function under<T>(decide: Decide, call: EdgeCall, execute: () => Promise<T>, lost: () => Error): Promise<T> {
  const fault = await decide(call);
  if (fault === "before") throw lost();
  const result = await execute();
  if (fault === "after") throw lost();
  return result;
}

interface Statement {
  inner: D1PreparedStatement;
  sql: string;
}

/** D1 alone, with calls that fail as `decide` says. */
export function faultyD1(db: D1Database, decide: Decide): D1Database {
  const lost = () => new Error("D1_ERROR: Network connection lost.");
  const statement = (inner: D1PreparedStatement, sql: string): object => {
    const execute =
      (method: "first" | "run" | "all") =>
      (...values: unknown[]) =>
        under(decide, { binding: "DB", operation: sql }, () => (inner[method] as any)(...values), lost);
    const bind = (...values: unknown[]) => statement(inner.bind(...values), sql);
    return { inner, sql, bind, first: execute("first"), run: execute("run"), all: execute("all") };
  };
  const batch = (statements: readonly Statement[]) => {
    const operation = statements.map(({ sql }) => sql).join("; ");
    return under(decide, { binding: "DB", operation }, () => db.batch(statements.map(({ inner }) => inner)), lost);
  };
  return { prepare: (sql: string) => statement(db.prepare(sql), sql), batch } as unknown as D1Database;
}

/** A binding with asynchronous methods; what they resolve to may have such methods too. */
function faulty<T extends object>(target: T, binding: string, decide: Decide, lost: () => Error): T {
  return new Proxy(target, {
    get(inner, name) {
      const value: unknown = Reflect.get(inner, name, inner);
      if (typeof value !== "function") return value;
      return async (...values: unknown[]) => {
        const call = { binding, operation: String(name) };
        const result: unknown = await under(decide, call, () => (inner as any)[name](...values), lost);
        const isHandle =
          typeof result === "object" &&
          result !== null &&
          ["sendEvent", "uploadPart", "arrayBuffer"].some((method) => method in result);
        return isHandle ? faulty(result, binding, decide, lost) : result;
      };
    },
  });
}

function faultyObjects<T extends object>(namespace: DurableObjectNamespace<never>, binding: string, decide: Decide): T {
  const lost = () => Object.assign(new Error("Network connection lost."), { retryable: true });
  return {
    idFromName: (name: string) => namespace.idFromName(name),
    get: (id: DurableObjectId) => {
      const stub = namespace.get(id) as Record<string, any>;
      const method =
        (operation: string) =>
        (...values: unknown[]) =>
          under(decide, { binding, operation }, async () => stub[operation](...values), lost);
      return new Proxy({}, { get: (_, operation) => (operation === "then" ? undefined : method(String(operation))) });
    },
  } as unknown as T;
}
