-- Items for experiments. A data set grows while it is open; closing it fixes its items and gives it the hash of its content.
CREATE TABLE datasets (
  id TEXT PRIMARY KEY, tenant_id TEXT NOT NULL REFERENCES tenants (id), mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
  name TEXT NOT NULL, description TEXT NOT NULL,
  workflow TEXT NOT NULL, -- the workflow whose inputs its items hold
  metadata TEXT NOT NULL, -- JSON
  items INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0, -- of its items
  latest_upload TEXT, -- names the transaction that added items last: the statements of that transaction read it
  content_hash TEXT, -- NULL while it is open
  closed_at INTEGER, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX datasets_by_tenant ON datasets (tenant_id, mode, id);

CREATE TABLE dataset_items (
  position INTEGER PRIMARY KEY AUTOINCREMENT, -- the order of the items of a data set
  dataset_id TEXT NOT NULL, tenant_id TEXT NOT NULL,
  item_id TEXT NOT NULL, -- the caller's own
  content TEXT, -- canonical JSON; NULL when it is large and in R2 under content_key
  content_key TEXT,
  size INTEGER NOT NULL, -- bytes
  sha256 TEXT NOT NULL,
  UNIQUE (dataset_id, item_id)
) STRICT;
CREATE INDEX dataset_items_in_order ON dataset_items (dataset_id, position);
CREATE INDEX dataset_items_content ON dataset_items (content_key) WHERE content_key IS NOT NULL;
CREATE INDEX dataset_items_of_tenant ON dataset_items (tenant_id);

-- Data sets that runs read: until such a run has ended, its data sets cannot be deleted.
CREATE TABLE run_datasets (
  run_id TEXT NOT NULL, dataset_id TEXT NOT NULL,
  PRIMARY KEY (run_id, dataset_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX run_datasets_by_dataset ON run_datasets (dataset_id);

-- Quotas: a data set and an item each count 1,000 bytes and their texts.
CREATE TRIGGER dataset_counted AFTER INSERT ON datasets BEGIN
  INSERT INTO usage_change VALUES (NEW.tenant_id, 'datasets', 1);
  INSERT INTO usage_change VALUES (NEW.tenant_id, 'stored_bytes', 1000);
END;

CREATE TRIGGER dataset_uncounted AFTER DELETE ON datasets BEGIN
  INSERT INTO usage_change VALUES (OLD.tenant_id, 'datasets', -1);
  INSERT INTO usage_change VALUES (OLD.tenant_id, 'stored_bytes', -1000);
END;

-- An item's object is no orphan once the item has a row.
CREATE TRIGGER dataset_item_added AFTER INSERT ON dataset_items BEGIN
  DELETE FROM orphans WHERE key = NEW.content_key;
  INSERT INTO usage_change VALUES (NEW.tenant_id, 'dataset_items', 1);
  INSERT INTO usage_change VALUES (NEW.tenant_id, 'stored_bytes', 1000 + NEW.size);
END;

CREATE TRIGGER dataset_item_uncounted AFTER DELETE ON dataset_items BEGIN
  INSERT INTO usage_change VALUES (OLD.tenant_id, 'dataset_items', -1);
  INSERT INTO usage_change VALUES (OLD.tenant_id, 'stored_bytes', -1000 - OLD.size);
END;
