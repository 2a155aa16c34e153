-- Keys that expire, that are bound to workflows, and that are rolled.
ALTER TABLE keys ADD COLUMN expires_at INTEGER; -- NULL: never
ALTER TABLE keys ADD COLUMN workflows TEXT; -- JSON: names of the workflows that the key is bound to; NULL: all
ALTER TABLE keys ADD COLUMN rolled_to TEXT; -- id of the key that replaces it

-- Who changed what, with which key. It holds no bodies and no secrets.
CREATE TABLE audit_log (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  seq INTEGER NOT NULL, -- counts the tenant's entries
  id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  actor TEXT NOT NULL CHECK (actor IN ('key', 'interaction', 'operator')),
  actor_id TEXT, -- of the key, or of the interaction that was answered without a key
  mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
  action TEXT NOT NULL, -- operation of the API
  object_type TEXT,
  object_id TEXT,
  request_id TEXT,
  outcome TEXT NOT NULL CHECK (outcome IN ('done', 'refused')),
  PRIMARY KEY (tenant_id, seq)
) STRICT, WITHOUT ROWID;

CREATE INDEX audit_log_by_age ON audit_log (created_at);

-- A tenant keeps its newest 100,000 entries.
CREATE TRIGGER audit_log_bounded AFTER INSERT ON audit_log WHEN NEW.seq > 100000 BEGIN
  DELETE FROM audit_log WHERE tenant_id = NEW.tenant_id AND seq <= NEW.seq - 100000;
END;

-- Streams of events that are open. A stream renews its lease; the lease of one that crashed expires.
CREATE TABLE stream_leases (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  key_id TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX stream_leases_by_tenant ON stream_leases (tenant_id, expires_at);
