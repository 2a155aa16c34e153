-- Keys that callers send with a POST, and what was answered: the same request gets the same answer.
CREATE TABLE idempotency_keys (
  scope TEXT NOT NULL, -- the tenant; of a callback, the interaction
  path TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL, -- of the request, SHA-256 in hex
  owner TEXT NOT NULL, -- the request that holds the key
  claimed_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  run_id TEXT, -- the run that the answer shows: goes with it
  status INTEGER, -- of the answer; NULL while it is being made
  headers TEXT,
  body TEXT, -- sealed, for it may hold a secret; NULL when it is large and stands in R2 under body_key
  body_key TEXT,
  PRIMARY KEY (scope, path, key)
) STRICT;

CREATE INDEX idempotency_keys_by_run ON idempotency_keys (run_id) WHERE run_id IS NOT NULL;
CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (expires_at);

-- An answer is stored by the request that holds the key; any other is undone, with all of its batch.
CREATE TRIGGER idempotency_key_settled BEFORE UPDATE OF status ON idempotency_keys WHEN NEW.status IS NOT NULL AND NEW.owner <> OLD.owner BEGIN
  SELECT RAISE(ABORT, 'idempotency_key_overtaken');
END;

CREATE TRIGGER idempotency_key_removed AFTER DELETE ON idempotency_keys WHEN OLD.body_key IS NOT NULL BEGIN
  INSERT OR REPLACE INTO orphans (key, due_at) VALUES (OLD.body_key, CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;
