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

-- Patches of its workflow's code that a run follows: JSON, the names of those that the code had when the run was created.
ALTER TABLE runs ADD COLUMN patches TEXT NOT NULL DEFAULT '[]';

-- A retry opens the questions again that the run's end canceled: people keep their links.
CREATE TRIGGER interaction_reopened AFTER UPDATE OF status ON interactions WHEN OLD.status = 'canceled' AND NEW.status = 'open' BEGIN
  UPDATE runs SET open_interactions = open_interactions + 1, heartbeat_at = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE id = NEW.run_id;
  INSERT INTO new_event VALUES (NEW.run_id, 'run.input_required', json_object('interaction_id', NEW.id, 'kind', NEW.kind, 'stage', NEW.stage));
END;
