import { DatabaseSync } from "node:sqlite";
import type { Database, Row } from "./database.ts";

/** How long a statement waits for the server to end a transaction. Milliseconds. */
const TIMEOUT = 20_000;

/** A SQLite file as the operator uses it. A server may have it open. */
export function sqliteDatabase(file: string): Database {
  const database = new DatabaseSync(file, { timeout: TIMEOUT });
  const query = (sql: string): Row[] =>
    database
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }));
  return {
    query: async (sql) => query(sql),
    queryAll: async (statements) => statements.map(query),
    async execute(sql) {
      database.exec("BEGIN IMMEDIATE");
      try {
        database.exec(sql);
        database.exec("COMMIT");
      } catch (error) {
        if (database.isTransaction) database.exec("ROLLBACK");
        throw error;
      }
    },
    release: () => database.close(),
  };
}
