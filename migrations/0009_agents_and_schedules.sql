-- Worker agents that a tenant adds to the built-in ones, which are in the code.
CREATE TABLE agents (
  id TEXT PRIMARY KEY, tenant_id TEXT NOT NULL REFERENCES tenants (id), mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
  name TEXT NOT NULL,
  name_key TEXT NOT NULL, -- the name in the form that comparisons use: without case and width
  description TEXT NOT NULL,
  capabilities TEXT NOT NULL, -- JSON: array of texts
  when_to_use TEXT NOT NULL, input TEXT NOT NULL, output TEXT NOT NULL, instructions TEXT NOT NULL,
  tools TEXT NOT NULL, -- JSON: array of names
  mcp_servers TEXT NOT NULL, -- JSON: array of {name, url, header_names, sealed_headers}; headers are encrypted like webhook secrets
  model TEXT, -- NULL: the model of the run's role `agent`
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
  UNIQUE (tenant_id, mode, name_key)
) STRICT;
CREATE INDEX agents_by_owner ON agents (tenant_id, mode, id);

-- Quota of stored bytes. The number of agents has a limit that is no quota.
CREATE TRIGGER agent_counted AFTER INSERT ON agents BEGIN
  INSERT INTO usage_change VALUES (NEW.tenant_id, 'stored_bytes', 1000 + length(CAST(NEW.instructions AS BLOB)) + length(CAST(NEW.mcp_servers AS BLOB)));
END;

CREATE TRIGGER agent_bytes_counted AFTER UPDATE OF instructions, mcp_servers ON agents BEGIN
  INSERT INTO usage_change VALUES (NEW.tenant_id, 'stored_bytes',
    length(CAST(NEW.instructions AS BLOB)) + length(CAST(NEW.mcp_servers AS BLOB))
    - length(CAST(OLD.instructions AS BLOB)) - length(CAST(OLD.mcp_servers AS BLOB)));
END;

CREATE TRIGGER agent_uncounted AFTER DELETE ON agents BEGIN
  INSERT INTO usage_change VALUES (OLD.tenant_id, 'stored_bytes', -1000 - length(CAST(OLD.instructions AS BLOB)) - length(CAST(OLD.mcp_servers AS BLOB)));
END;

-- Saved requests with fields to fill in.
CREATE TABLE templates (
  id TEXT PRIMARY KEY, tenant_id TEXT NOT NULL REFERENCES tenants (id), mode TEXT NOT NULL CHECK (mode IN ('live', 'test')),
  name TEXT NOT NULL, description TEXT NOT NULL,
  version INTEGER NOT NULL, -- increased by each change of the request or its fields
  workflow TEXT NOT NULL,
  request TEXT NOT NULL, -- JSON: the body of `POST /v1/runs`, with placeholders
  fields TEXT NOT NULL, -- JSON: what the placeholders are replaced by
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX templates_of_tenant ON templates (tenant_id, mode, id);

-- Quotas of templates and, below, of schedules.
CREATE TRIGGER template_counted AFTER INSERT ON templates BEGIN INSERT INTO usage_change VALUES (NEW.tenant_id, 'templates', 1); END;
CREATE TRIGGER template_uncounted AFTER DELETE ON templates BEGIN INSERT INTO usage_change VALUES (OLD.tenant_id, 'templates', -1); END;

-- Schedules start runs from templates at the times of a cron expression.
CREATE TABLE schedules (
  id TEXT PRIMARY KEY, tenant_id TEXT NOT NULL REFERENCES tenants (id), mode TEXT NOT NULL CHECK (mode IN ('live', 'test')),
  template_id TEXT NOT NULL REFERENCES templates (id),
  key_id TEXT NOT NULL, -- key that created it; its runs start with the key's rights
  origin TEXT NOT NULL, -- base of the runs' callback URLs, unless PUBLIC_URL is set
  name TEXT NOT NULL,
  cron TEXT NOT NULL, time_zone TEXT NOT NULL,
  fields TEXT NOT NULL, -- JSON: values of the template's fields
  overlap TEXT NOT NULL CHECK (overlap IN ('skip', 'queue', 'cancel_other')),
  catch_up TEXT NOT NULL CHECK (catch_up IN ('none', 'last', 'all')), paused INTEGER NOT NULL CHECK (paused IN (0, 1)),
  next_at INTEGER, -- the next time that has no row in `occurrences`; NULL: the expression names no later one
  last_run_id TEXT, -- run that it started last
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX schedules_of_tenant ON schedules (tenant_id, mode, id);
CREATE INDEX schedules_of_template ON schedules (template_id);
CREATE INDEX schedules_due ON schedules (next_at) WHERE paused = 0 AND next_at IS NOT NULL;

CREATE TRIGGER schedule_counted AFTER INSERT ON schedules BEGIN INSERT INTO usage_change VALUES (NEW.tenant_id, 'schedules', 1); END;
CREATE TRIGGER schedule_uncounted AFTER DELETE ON schedules BEGIN INSERT INTO usage_change VALUES (OLD.tenant_id, 'schedules', -1); END;

-- The outcome of each time of a schedule. Because of the primary key, no time starts two runs.
CREATE TABLE occurrences (
  schedule_id TEXT NOT NULL REFERENCES schedules (id) ON DELETE CASCADE, due_at INTEGER NOT NULL, tenant_id TEXT NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('started', 'skipped', 'failed')), run_id TEXT, reason TEXT, settled_at INTEGER NOT NULL,
  PRIMARY KEY (schedule_id, due_at)
) STRICT, WITHOUT ROWID;
CREATE INDEX occurrences_of_tenant ON occurrences (tenant_id);

-- A time that should have started a run and did not: the tenant's endpoints get a message, in the transaction that records the time.
CREATE TRIGGER occurrence_failed AFTER INSERT ON occurrences WHEN NEW.outcome = 'failed' BEGIN
  INSERT INTO webhook_messages (tenant_id, mode, type, data)
  SELECT tenant_id, mode, 'schedule.failed', json_object('schedule_id', id, 'name', name,
    'due_at', strftime('%Y-%m-%dT%H:%M:%fZ', NEW.due_at / 1000.0, 'unixepoch'), 'reason', NEW.reason)
  FROM schedules WHERE id = NEW.schedule_id;
END;
