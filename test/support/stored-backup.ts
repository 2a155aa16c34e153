/** A database and a bucket in memory, for tests of backups. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import type { Bucket } from "../../scripts/backup/bucket.ts";
import type { Database } from "../../scripts/lib/database.ts";
import { emptyDatabase } from "./database";

/** D1's limit of a statement. Bytes. */
const MAX_STATEMENT_LENGTH = 100_000;

/** An empty database with all migrations, which its `d1_migrations` names. */
export function migrated(): DatabaseSync {
  const sqlite = emptyDatabase();
  sqlite.exec("CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TEXT)");
  for (const name of readdirSync("migrations").sort())
    sqlite.prepare("INSERT INTO d1_migrations (name) VALUES (?)").run(name);
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
        if (Buffer.byteLength(statement) > MAX_STATEMENT_LENGTH)
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

export const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
/** What SQL, lines and statements' lengths might break. */
const AWKWARD = `it's "quoted"; -- \n\r\u2028 \0 é 🙂 BEGIN END; ${"🙂'".repeat(60_000)}`;

/** A database with a run that waits, its events and deliveries, and a corpus. */
export function filled(): DatabaseSync {
  const sqlite = migrated();
  const insert = (table: string, row: Record<string, string | number | null | Uint8Array>) =>
    sqlite
      .prepare(
        `INSERT INTO ${table} (${Object.keys(row).join()}) VALUES (${Object.keys(row)
          .map(() => "?")
          .join()})`,
      )
      .run(...Object.values(row));
  insert("tenants", { id: "ten_1", name: AWKWARD, created_at: 1 });
  const run = {
    workflow: "debate",
    workflow_version: 1,
    asks_about: "[]",
    mode: "live",
    options: "{}",
    models: "{}",
    limits: "{}",
    metadata: "{}",
  };
  insert("webhook_endpoints", {
    id: "whe_1",
    tenant_id: "ten_1",
    mode: "live",
    url: "https://a.example",
    events: '["run.created"]',
    secret: "sealed",
    created_at: 1,
    updated_at: 1,
  });
  for (let n = 1; n <= 120; n++)
    insert("runs", {
      id: `run_${n}`,
      tenant_id: "ten_1",
      ...run,
      input: n === 1 ? AWKWARD : "{}",
      origin: "",
      heartbeat_at: n,
      created_at: n,
      updated_at: n,
      cost_usd: 0.1 + 0.2,
    });
  const artifact = {
    run_id: "run_1",
    generation: 1,
    epoch: 1,
    kind: "k",
    version: 1,
    iteration: 1,
    stage: "s",
    action: "a",
    role: "r",
    sent_from: "",
    send_to: "",
    inputs: "[]",
    media_type: "text/plain",
    duration_ms: 1,
    created_at: 1,
  };
  insert("artifacts", { ...artifact, id: "art_1", step: "s/a#1", content: AWKWARD, size: 1, sha256: sha256(AWKWARD) });
  insert("artifacts", {
    ...artifact,
    id: "art_2",
    step: "s/a#2",
    content_key: "ten_1/run_1/art_2",
    size: 5,
    sha256: sha256("large"),
  });
  insert("pools", { id: "cor_1", tenant_id: "ten_1" });
  insert("corpora", {
    id: "cor_1",
    tenant_id: "ten_1",
    mode: "live",
    name: "c",
    description: "",
    metadata: "{}",
    embedding_model: "m",
    created_at: 1,
    updated_at: 1,
  });
  insert("documents", {
    id: "doc_1",
    pool: 1,
    digest: "",
    title: "Tool lending",
    source: "law",
    language: "en",
    metadata: "{}",
    content: "",
    size: 0,
    sha256: "",
    status: "ready",
    created_at: 1,
  });
  const passage = { pool: 1, document_id: "doc_1", begins: 0, ends: 1, heading: "Lawyers", terms: 3, embedded: 1 };
  insert("passages", { ...passage, ordinal: 1, text: "They were lending tools.", vector: new Uint8Array([0, 1, 255]) });
  insert("passages", { ...passage, ordinal: 2, text: "A loan.", vector: null });
  sqlite.exec("UPDATE corpora SET due_at = NULL");
  return sqlite;
}
