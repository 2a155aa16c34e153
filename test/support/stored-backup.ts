/** A database and a bucket in memory, for tests of backups. */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { Bucket } from "../../scripts/backup/bucket.mjs";
import type { Database } from "../../scripts/lib/database.mjs";

/** D1's limit of a statement. Bytes. */
const LONGEST_STATEMENT = 100_000;

/** An empty database with all migrations. */
export function migrated(): DatabaseSync {
  const sqlite = new DatabaseSync(":memory:");
  sqlite.exec("CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TEXT)");
  for (const path of globSync("migrations/*.sql").sort()) {
    sqlite.exec(readFileSync(path, "utf8"));
    sqlite.prepare("INSERT INTO d1_migrations (name) VALUES (?)").run(path.slice("migrations/".length));
  }
  return sqlite;
}

/** @param onQuery is called before each reading */
export function databaseIn(sqlite: DatabaseSync, onQuery: (sql: string) => void = () => {}): Database {
  const rows = (sql: string) => {
    onQuery(sql);
    return sqlite
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }));
  };
  return {
    query: async (sql) => rows(sql),
    queryAll: async (statements) => statements.map(rows),
    async execute(sql) {
      for (const statement of sql.split(/\n(?=INSERT INTO )/))
        if (Buffer.byteLength(statement) > LONGEST_STATEMENT)
          throw new Error(`A statement is too long: ${statement.length}`);
      sqlite.exec(sql);
    },
    release() {},
  };
}

export const bucketIn = (objects: Map<string, Buffer>): Bucket => ({
  async download(key, file) {
    const bytes = objects.get(key);
    if (bytes) writeFileSync(file, bytes);
    return bytes !== undefined;
  },
  async upload(files) {
    for (const { key, file } of files) objects.set(key, readFileSync(file));
  },
});
