import type { DatabaseSync } from "node:sqlite";

/** A migration's name and its SQL. */
export type Migration = readonly [name: string, sql: string];

/** Wrangler's table, so that both platforms know which migrations a database has. */
const MIGRATIONS = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`;

/** Applies those migrations that were not applied, in one transaction. */
export function migrate(database: DatabaseSync, migrations: readonly Migration[]): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    database.exec(MIGRATIONS);
    const applied = new Set(
      database
        .prepare("SELECT name FROM d1_migrations")
        .all()
        .map(({ name }) => name),
    );
    const note = database.prepare("INSERT INTO d1_migrations (name) VALUES (?)");
    for (const [name, sql] of migrations) {
      if (applied.has(name)) continue;
      database.exec(sql);
      note.run(name);
    }
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}
