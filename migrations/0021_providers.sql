-- Model providers that fail, as runs find them, and keys for providers that tenants bring.

ALTER TABLE runs ADD COLUMN outages TEXT NOT NULL DEFAULT '{}'; -- JSON: <provider>/<model> -> what run.provider_failing says of it

CREATE TRIGGER run_provider_failing AFTER UPDATE OF outages ON runs WHEN OLD.outages <> NEW.outages AND NEW.phase = 'running' BEGIN
  INSERT INTO new_event SELECT NEW.id, 'run.provider_failing', value FROM json_each(NEW.outages)
  WHERE key NOT IN (SELECT key FROM json_each(OLD.outages));
  INSERT INTO new_event SELECT NEW.id, 'run.provider_recovered', json_remove(value, '$.next_attempt_at') FROM json_each(OLD.outages)
  WHERE key NOT IN (SELECT key FROM json_each(NEW.outages));
END;

-- Keys for model providers that tenants bring, one for each provider and mode.
CREATE TABLE provider_keys (
  id TEXT PRIMARY KEY, -- <tenant>/<mode>/<provider>: the sealed key opens nowhere else
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
  provider TEXT NOT NULL,
  sealed TEXT NOT NULL,
  hint TEXT NOT NULL, -- its last four characters
  created_at INTEGER NOT NULL -- of the present key
) STRICT;

CREATE INDEX provider_keys_by_owner ON provider_keys (tenant_id, mode, provider);
