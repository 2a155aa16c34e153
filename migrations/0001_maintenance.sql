-- Conventions of all migrations
--
-- Times are milliseconds since the epoch, booleans are 0 or 1, and JSON is stored in TEXT columns.
-- Related columns without a comment share a line. `{Type}` at the start of a column's comment is the column's type in src/store/rows.ts, where
-- SQL cannot say it; `{sql}` leaves out a column that only SQL uses.
-- A trigger does what belongs to a write in the same transaction, whichever statement writes: events, counters, limits. Neither can then exist
-- without the other, and no caller can forget it.
-- SQLite does not define which of several triggers on one event runs first. Ours write to different tables, so it makes no difference; steps
-- that depend on each other are in one trigger.
-- From this file on, migrations are only added. src/store/schema.sql (`npm run schema`) shows what they build together.

-- The last maintenance pass, for health checks and the operator. One row.
CREATE TABLE maintenance_pass (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  started_at INTEGER NOT NULL, ended_at INTEGER NOT NULL,
  lag_ms INTEGER NOT NULL, -- how late the pass started
  remaining TEXT NOT NULL, -- JSON: kinds of rows that it left for the next pass
  failed TEXT NOT NULL, -- JSON: parts of the pass that failed
  next_at INTEGER -- when the next pass is due; NULL: the maintenance worker sleeps until it is armed
) STRICT;

-- The deployment's secrets, and how far stored texts have been encrypted again under the current one. One row.
CREATE TABLE resealing (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  keys TEXT NOT NULL, -- JSON: ids of the secrets that are set, with their dates; the one without a date is current
  position TEXT, -- JSON: table and row that this pass has reached; NULL: the pass is complete
  unreadable TEXT NOT NULL, -- JSON: by table, how many texts of the pass no secret opens
  completed_at INTEGER -- end of the last complete pass; NULL: none since the secrets changed
) STRICT;

-- Objects in R2 that may have no row: written before their row, or left by a deleted one. The maintenance worker deletes them. The triggers
-- that insert a row with an object delete its key here.
CREATE TABLE orphans (
  key TEXT PRIMARY KEY, -- one object; with a trailing slash, all objects below it
  due_at INTEGER NOT NULL
) STRICT;

-- Features that a model was found to support, so that the next run does not try again.
CREATE TABLE model_capabilities (
  model TEXT PRIMARY KEY, -- <provider>/<model>
  capabilities TEXT NOT NULL, -- JSON
  learnt_at INTEGER NOT NULL
) STRICT;
