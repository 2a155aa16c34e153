declare const ROW: unique symbol;

/** A statement whose rows have this type. */
export type Returning<Row> = D1PreparedStatement & { readonly [ROW]?: Row };

export const returning = <Row>(statement: D1PreparedStatement): Returning<Row> => statement;

/** A statement that writes, and those that look at whether it did (`changes()`): they come directly after it, and nothing comes between. */
export class Completed<Row = unknown> {
  constructor(
    readonly statement: Returning<Row>,
    readonly after: readonly D1PreparedStatement[],
  ) {}
}

/** What a statement has done. */
export interface Done<Row = unknown> {
  rows: Row[];
  /** How many rows it has written. */
  changes: number;
}

/** Statements in their order, by names; under one name there may be several, or none. */
export type Statements = Record<string, D1PreparedStatement | Completed<any> | readonly D1PreparedStatement[]>;

export type DoneBy<S extends Statements> = { [Name in keyof S]: DoneOf<S[Name]> };
type DoneOf<Given> = Given extends readonly (infer One)[] ? Done<RowOf<One>>[] : Done<RowOf<Given>>;
type RowOf<S> = S extends Completed<infer Row> ? Row : S extends Returning<infer Row> ? Row : unknown;

export type RowsBy<S extends Statements> = { [Name in keyof S]: RowsOf<S[Name]> };
type RowsOf<Given> = Given extends readonly (infer One)[] ? RowOf<One>[][] : RowOf<Given>[];

/** Executes statements in one transaction. @returns what each has done, by its name; of a completed one, what its own statement has */
export const batch = <S extends Statements>(db: D1Database, statements: S): Promise<DoneBy<S>> =>
  byName(statements, async (list) =>
    (await db.batch(list)).map(({ results, meta }) => ({ rows: results, changes: meta.changes })),
  );

/** The results of a list of statements, by the names of these. */
export async function byName<S extends Statements, Results>(
  statements: S,
  execute: (list: D1PreparedStatement[]) => Promise<unknown[]>,
): Promise<Results> {
  const named = Object.entries(statements).map(([name, given]) => ({ name, given, list: listOf(given) }));
  const done = await execute(named.flatMap(({ list }) => list));
  const results = named.map(({ name, given, list }) => {
    const own = done.splice(0, list.length);
    return [name, Array.isArray(given) ? own : own[0]];
  });
  return Object.fromEntries(results) as Results;
}

const listOf = (given: Statements[string]): readonly D1PreparedStatement[] => {
  if (given instanceof Completed) return [given.statement, ...given.after];
  return Array.isArray(given) ? given : [given as D1PreparedStatement];
};
