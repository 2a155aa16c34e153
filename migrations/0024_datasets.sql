-- Data sets: items that experiments play. They grow while they are open; closing one fixes its items and gives it the hash of its content.
CREATE TABLE datasets (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  workflow TEXT NOT NULL, -- whose inputs its items hold
  metadata TEXT NOT NULL,
  items INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0, -- of its items
  latest_upload TEXT, -- names the transaction that added items last: its statements look at it
  content_hash TEXT, -- NULL while it is open
  closed_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE INDEX datasets_by_tenant ON datasets (tenant_id, mode, id);

CREATE TABLE dataset_items (
  position INTEGER PRIMARY KEY AUTOINCREMENT, -- the order of the items of a data set
  dataset_id TEXT NOT NULL,
  tenant_id TEXT NOT NULL,
  item_id TEXT NOT NULL, -- the caller's own
  content TEXT, -- canonical JSON; NULL when it is large and stands in R2 under content_key
  content_key TEXT,
  size INTEGER NOT NULL, -- bytes
  sha256 TEXT NOT NULL,
  UNIQUE (dataset_id, item_id)
) STRICT;

CREATE INDEX dataset_items_in_order ON dataset_items (dataset_id, position);
CREATE INDEX dataset_items_content ON dataset_items (content_key) WHERE content_key IS NOT NULL;
CREATE INDEX dataset_items_of_tenant ON dataset_items (tenant_id);

-- Data sets that runs read: while such a run has not ended, its data sets cannot be deleted.
CREATE TABLE run_datasets (
  run_id TEXT NOT NULL,
  dataset_id TEXT NOT NULL,
  PRIMARY KEY (run_id, dataset_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX run_datasets_by_dataset ON run_datasets (dataset_id);

-- Quotas: a data set and an item count 1,000 bytes and their texts.
CREATE TRIGGER dataset_counted AFTER INSERT ON datasets BEGIN
  INSERT INTO usage_change VALUES (NEW.tenant_id, 'datasets', 1);
  INSERT INTO usage_change VALUES (NEW.tenant_id, 'stored_bytes', 1000);
END;

CREATE TRIGGER dataset_uncounted AFTER DELETE ON datasets BEGIN
  INSERT INTO usage_change VALUES (OLD.tenant_id, 'datasets', -1);
  INSERT INTO usage_change VALUES (OLD.tenant_id, 'stored_bytes', -1000);
END;

CREATE TRIGGER dataset_item_counted AFTER INSERT ON dataset_items BEGIN
  DELETE FROM orphans WHERE key = NEW.content_key;
  INSERT INTO usage_change VALUES (NEW.tenant_id, 'dataset_items', 1);
  INSERT INTO usage_change VALUES (NEW.tenant_id, 'stored_bytes', 1000 + NEW.size);
END;

CREATE TRIGGER dataset_item_uncounted AFTER DELETE ON dataset_items BEGIN
  INSERT INTO usage_change VALUES (OLD.tenant_id, 'dataset_items', -1);
  INSERT INTO usage_change VALUES (OLD.tenant_id, 'stored_bytes', -1000 - OLD.size);
END;

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
  WHEN 'datasets' THEN (SELECT COUNT(*) FROM datasets WHERE tenant_id = tenants.id)
  WHEN 'dataset_items' THEN (SELECT COUNT(*) FROM dataset_items WHERE tenant_id = tenants.id)
  WHEN 'keys' THEN (SELECT COUNT(*) FROM keys WHERE tenant_id = tenants.id AND revoked_at IS NULL AND counted)
  WHEN 'webhook_endpoints' THEN (SELECT COUNT(*) FROM webhook_endpoints WHERE tenant_id = tenants.id AND run_id IS NULL)
  WHEN 'streams' THEN (SELECT COUNT(*) FROM stream_leases WHERE tenant_id = tenants.id)
  WHEN 'idempotency_keys' THEN (SELECT COUNT(*) FROM idempotency_keys WHERE scope IN (tenants.id || '/live', tenants.id || '/test'))
END AS used
FROM tenants CROSS JOIN json_each(
  '["stored_bytes","queued_runs","corpora","documents","passages","datasets","dataset_items","keys","webhook_endpoints","streams","idempotency_keys"]') names;
