import type { DatabaseSync } from "node:sqlite";
import { eachAlone } from "./group-commit";

/** As in D1, the platform's own tables begin with _cf_. */
const TABLES = `
  CREATE TABLE IF NOT EXISTS _cf_instances (id TEXT PRIMARY KEY, params TEXT NOT NULL, created_at INTEGER NOT NULL, status TEXT NOT NULL, result TEXT) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS _cf_running ON _cf_instances (id) WHERE status = 'running';
  CREATE TABLE IF NOT EXISTS _cf_steps (instance TEXT NOT NULL, name TEXT NOT NULL, record TEXT NOT NULL, PRIMARY KEY (instance, name)) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS _cf_sent_events (id INTEGER PRIMARY KEY, instance TEXT NOT NULL, type TEXT NOT NULL, event TEXT NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS _cf_sent_events_of ON _cf_sent_events (instance, type);`;

export type Status = "running" | "complete" | "errored" | "terminated";

export interface InstanceRow {
  id: string;
  params: unknown;
  created_at: number;
  status: Status;
  /** The output, or the error. */
  result: unknown;
}

/** The stored state of a step: its result, or its progress. Times in milliseconds since the epoch. */
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

/** The stored state of Workflow instances: parameters, steps, and events that no step has consumed. */
export class WorkflowRecord {
  private readonly statements = new Map<string, ReturnType<DatabaseSync["prepare"]>>();

  constructor(
    private readonly database: DatabaseSync,
    private readonly transactions = eachAlone(database),
  ) {
    database.exec(TABLES);
  }

  /** False when the id is taken. */
  create(id: string, params: unknown, now: number): boolean {
    const insert = "INSERT OR IGNORE INTO _cf_instances VALUES (?, ?, ?, 'running', NULL)";
    return this.write(insert, id, pack(params), now) > 0;
  }

  instance(id: string): InstanceRow | null {
    const row = this.sql("SELECT * FROM _cf_instances WHERE id = ?").get(id) as InstanceRow | undefined;
    return row ? { ...row, params: unpack(row.params), result: unpack(row.result) } : null;
  }

  running(): string[] {
    const rows = this.sql("SELECT id FROM _cf_instances WHERE status = 'running' ORDER BY id").all();
    return rows.map(({ id }) => id as string);
  }

  /** Without effect on an instance that has ended. Its steps and events are not read again, and are removed. */
  end(id: string, status: Status, result: unknown): void {
    this.transactions.perform(() => {
      const update = this.sql("UPDATE _cf_instances SET status = ?, result = ? WHERE id = ? AND status = 'running'");
      if (update.run(status, pack(result), id).changes > 0) this.deleteRecord(id);
    });
  }

  delete(id: string): void {
    this.transactions.perform(() => {
      this.sql("DELETE FROM _cf_instances WHERE id = ?").run(id);
      this.deleteRecord(id);
    });
  }

  private deleteRecord(instance: string): void {
    this.sql("DELETE FROM _cf_steps WHERE instance = ?").run(instance);
    this.sql("DELETE FROM _cf_sent_events WHERE instance = ?").run(instance);
  }

  step(instance: string, name: string): StepRecord | null {
    const row = this.sql("SELECT record FROM _cf_steps WHERE instance = ? AND name = ?").get(instance, name);
    return row ? (unpack(row.record) as StepRecord) : null;
  }

  putStep(instance: string, name: string, record: StepRecord): void {
    this.write("INSERT OR REPLACE INTO _cf_steps VALUES (?, ?, ?)", instance, name, pack(record));
  }

  send(instance: string, event: Omit<SentEvent, "id">): void {
    const insert = "INSERT INTO _cf_sent_events (instance, type, event) VALUES (?, ?, ?)";
    this.write(insert, instance, event.type, pack(event));
  }

  firstEvent(instance: string, type: string): SentEvent | null {
    const find = this.sql("SELECT id, event FROM _cf_sent_events WHERE instance = ? AND type = ? ORDER BY id LIMIT 1");
    const row = find.get(instance, type);
    return row ? { ...(unpack(row.event) as SentEvent), id: row.id as number } : null;
  }

  /** A step is done with an event, which is consumed. */
  consume(instance: string, name: string, event: SentEvent): void {
    this.transactions.perform(() => {
      this.sql("DELETE FROM _cf_sent_events WHERE id = ?").run(event.id);
      this.sql("INSERT OR REPLACE INTO _cf_steps VALUES (?, ?, ?)").run(
        instance,
        name,
        pack({ is: "done", value: event }),
      );
    });
  }

  /** @returns the number of rows that were changed */
  private write(sql: string, ...values: (string | number)[]): number {
    return this.transactions.single(() => Number(this.sql(sql).run(...values).changes));
  }

  private sql(text: string) {
    const known = this.statements.get(text) ?? this.database.prepare(text);
    this.statements.set(text, known);
    return known;
  }
}

const pack = (value: unknown) => JSON.stringify({ value });
const unpack = (text: unknown) => (text === null ? null : (JSON.parse(text as string) as { value: unknown }).value);
