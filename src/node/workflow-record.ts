import type { DatabaseSync } from "node:sqlite";

const TABLES = `
  CREATE TABLE IF NOT EXISTS instances (id TEXT PRIMARY KEY, params TEXT NOT NULL, created_at INTEGER NOT NULL, status TEXT NOT NULL, result TEXT) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS steps (instance TEXT NOT NULL, name TEXT NOT NULL, record TEXT NOT NULL, PRIMARY KEY (instance, name)) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS sent_events (id INTEGER PRIMARY KEY, instance TEXT NOT NULL, type TEXT NOT NULL, event TEXT NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS sent_events_of ON sent_events (instance, type);`;

export type Status = "running" | "complete" | "errored" | "terminated";

export interface InstanceRow {
  id: string;
  params: unknown;
  created_at: number;
  status: Status;
  /** The output, or the error. */
  result: unknown;
}

/** What is stored of a step: its end, or how far it has come. Times in milliseconds since the epoch. */
export type StepRecord =
  | { is: "done"; value: unknown }
  | { is: "failed"; error: { name: string; message: string } }
  | { is: "retrying"; attempts: number; next_at: number }
  | { is: "waiting"; until: number };

export interface SentEvent {
  id: number;
  type: string;
  payload: unknown;
  timestamp: number;
}

/** What is stored of Workflow instances: parameters, steps, and events that no step has consumed. */
export class WorkflowRecord {
  private readonly statements = new Map<string, ReturnType<DatabaseSync["prepare"]>>();

  constructor(private readonly database: DatabaseSync) {
    database.exec(TABLES);
  }

  /** False when the id is taken. */
  create(id: string, params: unknown, now: number): boolean {
    const insert = this.sql("INSERT OR IGNORE INTO instances VALUES (?, ?, ?, 'running', NULL)");
    return insert.run(id, pack(params), now).changes > 0;
  }

  instance(id: string): InstanceRow | null {
    const row = this.sql("SELECT * FROM instances WHERE id = ?").get(id) as InstanceRow | undefined;
    return row ? { ...row, params: unpack(row.params), result: unpack(row.result) } : null;
  }

  running(): string[] {
    const rows = this.sql("SELECT id FROM instances WHERE status = 'running' ORDER BY id").all();
    return rows.map(({ id }) => id as string);
  }

  /** Without effect on an instance that has ended. */
  end(id: string, status: Status, result: unknown): void {
    this.sql("UPDATE instances SET status = ?, result = ? WHERE id = ? AND status = 'running'").run(
      status,
      pack(result),
      id,
    );
  }

  delete(id: string): void {
    for (const [table, column] of [
      ["instances", "id"],
      ["steps", "instance"],
      ["sent_events", "instance"],
    ])
      this.sql(`DELETE FROM ${table} WHERE ${column} = ?`).run(id);
  }

  step(instance: string, name: string): StepRecord | null {
    const row = this.sql("SELECT record FROM steps WHERE instance = ? AND name = ?").get(instance, name);
    return row ? (unpack(row.record) as StepRecord) : null;
  }

  putStep(instance: string, name: string, record: StepRecord): void {
    this.sql("INSERT OR REPLACE INTO steps VALUES (?, ?, ?)").run(instance, name, pack(record));
  }

  send(instance: string, event: Omit<SentEvent, "id">): void {
    const insert = this.sql("INSERT INTO sent_events (instance, type, event) VALUES (?, ?, ?)");
    insert.run(instance, event.type, pack(event));
  }

  firstEvent(instance: string, type: string): SentEvent | null {
    const find = this.sql("SELECT id, event FROM sent_events WHERE instance = ? AND type = ? ORDER BY id LIMIT 1");
    const row = find.get(instance, type);
    return row ? { ...(unpack(row.event) as SentEvent), id: row.id as number } : null;
  }

  deleteEvent(id: number): void {
    this.sql("DELETE FROM sent_events WHERE id = ?").run(id);
  }

  private sql(text: string) {
    const known = this.statements.get(text) ?? this.database.prepare(text);
    this.statements.set(text, known);
    return known;
  }
}

const pack = (value: unknown) => JSON.stringify({ value });
const unpack = (text: unknown) => (text === null ? null : (JSON.parse(text as string) as { value: unknown }).value);
