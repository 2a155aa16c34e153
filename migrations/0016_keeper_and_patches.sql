-- The keeper's last round, for health checks and an operator's status. One row.
CREATE TABLE keeper_round (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  started_at INTEGER NOT NULL,
  ended_at INTEGER NOT NULL,
  lag_ms INTEGER NOT NULL, -- by which the round began after it was due
  remaining TEXT NOT NULL, -- JSON: kinds of rows that it left
  failed TEXT NOT NULL, -- JSON: parts of the round that failed
  next_at INTEGER -- when the next round is due; NULL: the keeper sleeps until it is armed
) STRICT;

-- Changes of a workflow's code that a run has met: JSON, name -> whether the run follows the changed code.
ALTER TABLE runs ADD COLUMN patches TEXT NOT NULL DEFAULT '{}';
