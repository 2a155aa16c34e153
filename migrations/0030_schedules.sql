-- Templates: saved requests with fields to fill. Schedules start runs from them at times that a cron expression names.
CREATE TABLE templates (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  mode TEXT NOT NULL CHECK (mode IN ('live', 'test')),
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  version INTEGER NOT NULL, -- raised with each change of the request or of its fields
  workflow TEXT NOT NULL,
  request TEXT NOT NULL, -- JSON: the body of POST /v1/runs, with placeholders
  fields TEXT NOT NULL, -- JSON: what the placeholders stand for
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX templates_of_tenant ON templates (tenant_id, mode, id);

CREATE TABLE schedules (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  mode TEXT NOT NULL CHECK (mode IN ('live', 'test')),
  template_id TEXT NOT NULL REFERENCES templates (id),
  key_id TEXT NOT NULL, -- key that created it, with whose rights its runs start
  origin TEXT NOT NULL, -- base of the runs' callback URLs, unless PUBLIC_URL is set
  name TEXT NOT NULL,
  cron TEXT NOT NULL,
  time_zone TEXT NOT NULL,
  fields TEXT NOT NULL, -- JSON: values of the template's fields
  overlap TEXT NOT NULL CHECK (overlap IN ('skip', 'queue', 'cancel_other')),
  catch_up TEXT NOT NULL CHECK (catch_up IN ('none', 'last', 'all')),
  paused INTEGER NOT NULL CHECK (paused IN (0, 1)),
  next_at INTEGER, -- the next time that is not settled; NULL: the expression names no later one
  last_run_id TEXT, -- run that it started last
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX schedules_of_tenant ON schedules (tenant_id, mode, id);
CREATE INDEX schedules_of_template ON schedules (template_id);
CREATE INDEX schedules_due ON schedules (next_at) WHERE paused = 0 AND next_at IS NOT NULL;

-- What became of the times of a schedule. The primary key starts no run twice for one time.
CREATE TABLE occurrences (
  schedule_id TEXT NOT NULL REFERENCES schedules (id) ON DELETE CASCADE,
  due_at INTEGER NOT NULL,
  tenant_id TEXT NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('started', 'skipped', 'failed')),
  run_id TEXT,
  reason TEXT,
  settled_at INTEGER NOT NULL,
  PRIMARY KEY (schedule_id, due_at)
) STRICT, WITHOUT ROWID;
CREATE INDEX occurrences_of_tenant ON occurrences (tenant_id);

CREATE TRIGGER template_counted AFTER INSERT ON templates BEGIN
  INSERT INTO usage_change VALUES (NEW.tenant_id, 'templates', 1);
END;
CREATE TRIGGER template_uncounted AFTER DELETE ON templates BEGIN
  INSERT INTO usage_change VALUES (OLD.tenant_id, 'templates', -1);
END;
CREATE TRIGGER schedule_counted AFTER INSERT ON schedules BEGIN
  INSERT INTO usage_change VALUES (NEW.tenant_id, 'schedules', 1);
END;
CREATE TRIGGER schedule_uncounted AFTER DELETE ON schedules BEGIN
  INSERT INTO usage_change VALUES (OLD.tenant_id, 'schedules', -1);
END;

-- As in 0024, with templates and schedules.
DROP VIEW counted_usage;
CREATE VIEW counted_usage AS
SELECT tenants.id AS tenant_id, names.value AS quota, CASE names.value
  WHEN 'stored_bytes' THEN
    (SELECT COALESCE(SUM(stored_bytes), 0) FROM runs WHERE tenant_id = tenants.id)
    + (SELECT COALESCE(SUM(d.stored_bytes), 0) FROM pools p JOIN documents d ON d.pool = p.number WHERE p.tenant_id = tenants.id)
    + (SELECT COALESCE(SUM(1000 + length(CAST(faults AS BLOB)) + iif(read_at IS NULL, size, 0)), 0) FROM uploads WHERE tenant_id = tenants.id)
    + (SELECT COALESCE(SUM(1000 + length(CAST(instructions AS BLOB)) + length(CAST(mcp_servers AS BLOB))), 0) FROM agents
       WHERE tenant_id = tenants.id)
    + (SELECT 500 * COUNT(*) FROM keys WHERE tenant_id = tenants.id)
    + (SELECT 1000 * COUNT(*) FROM webhook_messages WHERE tenant_id = tenants.id)
    + (SELECT 2000 * COUNT(*) FROM webhook_endpoints e JOIN deliveries d ON d.endpoint_id = e.id
       JOIN delivery_attempts a ON a.delivery_id = d.id WHERE e.tenant_id = tenants.id)
    + (SELECT COALESCE(SUM(1000 + body_size), 0) FROM idempotency_keys WHERE scope IN (tenants.id || '/live', tenants.id || '/test'))
    + (SELECT 1000 * COUNT(*) FROM datasets WHERE tenant_id = tenants.id)
    + (SELECT COALESCE(SUM(1000 + size), 0) FROM dataset_items WHERE tenant_id = tenants.id)
  WHEN 'queued_runs' THEN
    (SELECT COUNT(*) FROM runs WHERE tenant_id = tenants.id AND phase = 'queued' AND queued_at IS NOT NULL AND parent_id IS NULL)
  WHEN 'corpora' THEN (SELECT COUNT(*) FROM corpora WHERE tenant_id = tenants.id)
  WHEN 'documents' THEN
    (SELECT COUNT(*) FROM pools p JOIN documents d ON d.pool = p.number WHERE p.tenant_id = tenants.id AND substr(p.id, 1, 4) = 'cor_')
  WHEN 'passages' THEN
    (SELECT COALESCE(SUM(d.passages), 0) FROM pools p JOIN documents d ON d.pool = p.number
     WHERE p.tenant_id = tenants.id AND substr(p.id, 1, 4) = 'cor_')
  WHEN 'templates' THEN (SELECT COUNT(*) FROM templates WHERE tenant_id = tenants.id)
  WHEN 'schedules' THEN (SELECT COUNT(*) FROM schedules WHERE tenant_id = tenants.id)
  WHEN 'datasets' THEN (SELECT COUNT(*) FROM datasets WHERE tenant_id = tenants.id)
  WHEN 'dataset_items' THEN (SELECT COUNT(*) FROM dataset_items WHERE tenant_id = tenants.id)
  WHEN 'keys' THEN (SELECT COUNT(*) FROM keys WHERE tenant_id = tenants.id AND revoked_at IS NULL AND counted)
  WHEN 'webhook_endpoints' THEN (SELECT COUNT(*) FROM webhook_endpoints WHERE tenant_id = tenants.id AND run_id IS NULL)
  WHEN 'streams' THEN (SELECT COUNT(*) FROM stream_leases WHERE tenant_id = tenants.id)
  WHEN 'idempotency_keys' THEN (SELECT COUNT(*) FROM idempotency_keys WHERE scope IN (tenants.id || '/live', tenants.id || '/test'))
END AS used
FROM tenants CROSS JOIN json_each(
  '["stored_bytes","queued_runs","corpora","documents","passages","templates","schedules","datasets","dataset_items","keys","webhook_endpoints","streams","idempotency_keys"]') names;
