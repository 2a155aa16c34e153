CREATE TABLE tenants (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, created_at INTEGER NOT NULL,
  max_concurrent_runs INTEGER, -- NULL: the deployment's limit
  removed_at INTEGER, -- when its removal began; it has no keys from then on, and the maintenance worker removes the rest
  moving_to TEXT, -- database that the tenant is being moved to; the same tenant in another database takes precedence over this row
  held_until INTEGER, -- until when writes to the tenant's rows are refused, because it is being moved
  moved_from TEXT -- database that still has old rows of the tenant; until they are deleted, this row stays, or they would count again
) STRICT;
CREATE INDEX tenants_held ON tenants (held_until) WHERE held_until IS NOT NULL;

CREATE TABLE keys (
  id TEXT PRIMARY KEY, tenant_id TEXT NOT NULL REFERENCES tenants (id), name TEXT NOT NULL,
  mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
  hash TEXT NOT NULL UNIQUE, -- SHA-256 of the whole key, in hex
  hint TEXT NOT NULL, -- its last four characters
  scopes TEXT NOT NULL, -- JSON: array of names
  created_at INTEGER NOT NULL, last_used_at INTEGER, revoked_at INTEGER,
  expires_at INTEGER, -- NULL: never
  workflows TEXT, -- JSON: names of the workflows that the key is bound to; NULL: all
  rolled_to TEXT, -- id of the key that replaces it
  counted INTEGER NOT NULL DEFAULT 1 -- {sql} 0: it has expired, and the quota of keys counts it no more
) STRICT;
CREATE INDEX keys_by_tenant ON keys (tenant_id, id);

-- The quota of keys counts those that are neither revoked nor expired. Expired keys are marked when the next key is created.
CREATE TRIGGER key_counted AFTER INSERT ON keys BEGIN
  INSERT INTO usage_change VALUES (NEW.tenant_id, 'keys', NEW.revoked_at IS NULL AND NEW.counted);
  INSERT INTO usage_change VALUES (NEW.tenant_id, 'stored_bytes', 500);
END;

CREATE TRIGGER key_end_counted AFTER UPDATE OF revoked_at, counted ON keys BEGIN
  INSERT INTO usage_change VALUES (NEW.tenant_id, 'keys',
    (NEW.revoked_at IS NULL AND NEW.counted) - (OLD.revoked_at IS NULL AND OLD.counted));
END;

CREATE TRIGGER key_uncounted AFTER DELETE ON keys BEGIN
  INSERT INTO usage_change VALUES (OLD.tenant_id, 'keys', -(OLD.revoked_at IS NULL AND OLD.counted));
  INSERT INTO usage_change VALUES (OLD.tenant_id, 'stored_bytes', -500);
END;

-- Keys for model providers that tenants bring, one for each provider and mode.
CREATE TABLE provider_keys (
  id TEXT PRIMARY KEY, -- <tenant>/<mode>/<provider>
  tenant_id TEXT NOT NULL REFERENCES tenants (id), mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
  provider TEXT NOT NULL,
  sealed TEXT NOT NULL, -- the key, encrypted for this id: it cannot be opened for another one
  hint TEXT NOT NULL, -- its last four characters
  created_at INTEGER NOT NULL -- when the present key was set
) STRICT;
CREATE INDEX provider_keys_by_owner ON provider_keys (tenant_id, mode, provider);

-- Who changed what, with which key. It has no bodies and no secrets.
CREATE TABLE audit_log (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  seq INTEGER NOT NULL, -- counts the tenant's entries
  id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  actor TEXT NOT NULL CHECK (actor IN ('key', 'interaction', 'operator')),
  actor_id TEXT, -- of the key, or of the interaction that was answered without a key
  mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
  action TEXT NOT NULL, -- operation of the API
  object_type TEXT, object_id TEXT, request_id TEXT,
  outcome TEXT NOT NULL CHECK (outcome IN ('done', 'refused')),
  PRIMARY KEY (tenant_id, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX audit_log_by_age ON audit_log (created_at);

-- Keeps a tenant's newest 100,000 entries. A trigger, so that the log is bounded however it is written.
CREATE TRIGGER audit_log_bounded AFTER INSERT ON audit_log WHEN NEW.seq > 100000 BEGIN
  DELETE FROM audit_log WHERE tenant_id = NEW.tenant_id AND seq <= NEW.seq - 100000;
END;

-- Keys that callers send with a request, and its response: a repeated request gets the same response. A key is completed in the transaction
-- of the request's write: with the response, or with the id of what was created or changed, from which a repeated request makes the response.
CREATE TABLE idempotency_keys (
  scope TEXT NOT NULL, -- <tenant>/<mode>; of a callback, the interaction
  path TEXT NOT NULL, key TEXT NOT NULL,
  fingerprint TEXT NOT NULL, -- SHA-256 of the request, in hex
  owner TEXT NOT NULL, -- the request that holds the key
  claimed_at INTEGER NOT NULL, expires_at INTEGER NOT NULL,
  made TEXT, -- id of what a request under the key has created or changed; NULL until one has
  run_id TEXT, -- run that the response shows: the key is deleted with it
  status INTEGER, -- of the response; NULL until it is known
  headers TEXT,
  body TEXT, -- encrypted, because it may contain a secret; NULL when it is large and in R2 under body_key
  body_key TEXT,
  body_size INTEGER NOT NULL DEFAULT 0, -- bytes
  PRIMARY KEY (scope, path, key)
) STRICT;
CREATE INDEX idempotency_keys_by_run ON idempotency_keys (run_id) WHERE run_id IS NOT NULL;
CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (expires_at);
CREATE INDEX idempotency_keys_by_body ON idempotency_keys (body_key) WHERE body_key IS NOT NULL;

-- Only the request that holds the key stores a response. A trigger, because ABORT undoes the whole batch of any other request.
CREATE TRIGGER idempotency_key_completed BEFORE UPDATE OF status ON idempotency_keys WHEN NEW.status IS NOT NULL AND NEW.owner <> OLD.owner BEGIN
  SELECT RAISE(ABORT, 'idempotency_key_overtaken');
END;

-- A key writes once: the batch of a request that would write again, or that lost the key to another one, is undone as a whole.
CREATE TRIGGER idempotency_key_written BEFORE UPDATE OF made ON idempotency_keys WHEN NEW.owner <> OLD.owner OR OLD.made IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'idempotency_key_overtaken');
END;

-- Quotas count the keys of tenants. Keys of callbacks belong to interactions and are not counted.
CREATE TRIGGER idempotency_key_counted AFTER INSERT ON idempotency_keys BEGIN
  INSERT INTO usage_change SELECT id, 'idempotency_keys', 1 FROM tenants WHERE id = substr(NEW.scope, 1, instr(NEW.scope, '/') - 1);
  INSERT INTO usage_change SELECT id, 'stored_bytes', 1000 + NEW.body_size FROM tenants WHERE id = substr(NEW.scope, 1, instr(NEW.scope, '/') - 1);
END;

CREATE TRIGGER idempotency_body_counted AFTER UPDATE OF body_size ON idempotency_keys BEGIN
  INSERT INTO usage_change SELECT id, 'stored_bytes', NEW.body_size - OLD.body_size FROM tenants WHERE id = substr(NEW.scope, 1, instr(NEW.scope, '/') - 1);
END;

-- Ends the count, and leaves a large body to the maintenance worker.
CREATE TRIGGER idempotency_key_removed AFTER DELETE ON idempotency_keys BEGIN
  INSERT INTO usage_change SELECT id, 'idempotency_keys', -1 FROM tenants WHERE id = substr(OLD.scope, 1, instr(OLD.scope, '/') - 1);
  INSERT INTO usage_change SELECT id, 'stored_bytes', -1000 - OLD.body_size FROM tenants WHERE id = substr(OLD.scope, 1, instr(OLD.scope, '/') - 1);
  INSERT OR REPLACE INTO orphans (key, due_at) SELECT OLD.body_key, CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE OLD.body_key IS NOT NULL;
END;

-- Open event streams. A stream renews its lease; the lease of a stream that crashed expires.
CREATE TABLE stream_leases (
  id TEXT PRIMARY KEY, tenant_id TEXT NOT NULL REFERENCES tenants (id), key_id TEXT NOT NULL, expires_at INTEGER NOT NULL,
  run_id TEXT NOT NULL -- the run that it follows: a commit wakes the streams of its run, and looks for no others
) STRICT;
CREATE INDEX stream_leases_by_tenant ON stream_leases (tenant_id, expires_at);
CREATE INDEX stream_leases_by_run ON stream_leases (run_id, expires_at);

-- Quota of open streams.
CREATE TRIGGER stream_counted AFTER INSERT ON stream_leases BEGIN INSERT INTO usage_change VALUES (NEW.tenant_id, 'streams', 1); END;
CREATE TRIGGER stream_uncounted AFTER DELETE ON stream_leases BEGIN INSERT INTO usage_change VALUES (OLD.tenant_id, 'streams', -1); END;
