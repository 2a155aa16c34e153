-- Child runs: a run may start others and wait until they have ended. A child has no children.
ALTER TABLE runs ADD COLUMN parent_id TEXT; -- the run that started it
ALTER TABLE runs ADD COLUMN child_group TEXT; -- act and generation of the parent that started it
ALTER TABLE runs ADD COLUMN child_key TEXT; -- its name within the group
ALTER TABLE runs ADD COLUMN awaits_children INTEGER NOT NULL DEFAULT 0; -- 1 while its instance waits until all children have ended
ALTER TABLE runs ADD COLUMN child_waits INTEGER NOT NULL DEFAULT 0; -- how often it has waited; children_<child_waits> ends the latest

CREATE UNIQUE INDEX runs_by_parent ON runs (parent_id, child_group, child_key) WHERE parent_id IS NOT NULL;
CREATE INDEX children_alive ON runs (parent_id) WHERE parent_id IS NOT NULL AND phase IN ('queued', 'running');
CREATE INDEX children_waiting ON runs (parent_id, queued_at, id) WHERE parent_id IS NOT NULL AND phase = 'queued' AND queued_at IS NOT NULL AND paused = 0;
CREATE INDEX runs_awaiting_children ON runs (id) WHERE awaits_children = 1;

-- What the children of a run add up to; triggers keep it.
CREATE TABLE run_trees (
  run_id TEXT PRIMARY KEY, -- the parent
  tenant_id TEXT NOT NULL,
  slots INTEGER NOT NULL, -- how many children may be under way at once
  total INTEGER NOT NULL DEFAULT 0,
  waiting INTEGER NOT NULL DEFAULT 0, -- in the queue
  active INTEGER NOT NULL DEFAULT 0, -- in a slot
  input_required INTEGER NOT NULL DEFAULT 0,
  completed INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  canceled INTEGER NOT NULL DEFAULT 0,
  llm_calls INTEGER NOT NULL DEFAULT 0,
  input_tokens INTEGER NOT NULL DEFAULT 0,
  cached_input_tokens INTEGER NOT NULL DEFAULT 0,
  output_tokens INTEGER NOT NULL DEFAULT 0,
  cost_usd REAL,
  reserved_calls INTEGER NOT NULL DEFAULT 0,
  reserved_tokens INTEGER NOT NULL DEFAULT 0,
  reserved_cost_usd REAL NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX trees_waiting ON run_trees (tenant_id) WHERE waiting > 0;

-- Parents that were removed: the keeper removes their children.
CREATE TABLE removed_parents (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL
) STRICT;

CREATE TRIGGER child_created AFTER INSERT ON runs WHEN NEW.parent_id IS NOT NULL BEGIN
  UPDATE run_trees SET total = total + 1, waiting = waiting + 1 WHERE run_id = NEW.parent_id;
END;

CREATE TRIGGER child_moved AFTER UPDATE OF phase, queued_at, paused, open_interactions ON runs WHEN NEW.parent_id IS NOT NULL BEGIN
  UPDATE run_trees SET
    waiting = waiting + (NEW.phase = 'queued' AND NEW.queued_at IS NOT NULL) - (OLD.phase = 'queued' AND OLD.queued_at IS NOT NULL),
    active = active
      + (NEW.phase IN ('queued', 'running') AND NEW.queued_at IS NULL AND NEW.paused = 0 AND NEW.open_interactions = 0)
      - (OLD.phase IN ('queued', 'running') AND OLD.queued_at IS NULL AND OLD.paused = 0 AND OLD.open_interactions = 0),
    input_required = input_required
      + (NEW.phase IN ('queued', 'running') AND NEW.open_interactions > 0) - (OLD.phase IN ('queued', 'running') AND OLD.open_interactions > 0),
    completed = completed + (NEW.phase = 'completed') - (OLD.phase = 'completed'),
    failed = failed + (NEW.phase = 'failed') - (OLD.phase = 'failed'),
    canceled = canceled + (NEW.phase = 'canceled') - (OLD.phase = 'canceled')
  WHERE run_id = NEW.parent_id;
END;

CREATE TRIGGER child_used AFTER UPDATE OF llm_calls, input_tokens, output_tokens, cost_usd, reserved_calls, reserved_tokens, reserved_cost_usd ON runs
WHEN NEW.parent_id IS NOT NULL BEGIN
  UPDATE run_trees SET
    llm_calls = llm_calls + NEW.llm_calls - OLD.llm_calls,
    input_tokens = input_tokens + NEW.input_tokens - OLD.input_tokens,
    cached_input_tokens = cached_input_tokens + NEW.cached_input_tokens - OLD.cached_input_tokens,
    output_tokens = output_tokens + NEW.output_tokens - OLD.output_tokens,
    cost_usd = iif(NEW.cost_usd IS NULL, cost_usd, COALESCE(cost_usd, 0) + NEW.cost_usd - COALESCE(OLD.cost_usd, 0)),
    reserved_calls = reserved_calls + NEW.reserved_calls - OLD.reserved_calls,
    reserved_tokens = reserved_tokens + NEW.reserved_tokens - OLD.reserved_tokens,
    reserved_cost_usd = reserved_cost_usd + NEW.reserved_cost_usd - OLD.reserved_cost_usd
  WHERE run_id = NEW.parent_id;
END;

-- A child's question is the parent's too: those who follow the parent learn of it.
CREATE TRIGGER child_asks AFTER INSERT ON interactions BEGIN
  INSERT INTO new_event
  SELECT parent_id, 'run.input_required', json_object('interaction_id', NEW.id, 'kind', NEW.kind, 'stage', NEW.stage, 'child_id', NEW.run_id)
  FROM runs WHERE id = NEW.run_id AND parent_id IS NOT NULL;
END;

-- A run that waits for its children lends its slot, and its active time stops.
DROP INDEX runs_in_slots;
CREATE INDEX runs_in_slots ON runs (tenant_id)
WHERE phase IN ('queued', 'running') AND queued_at IS NULL AND paused = 0 AND open_interactions = 0 AND awaits_children = 0;

DROP TRIGGER run_activity;
CREATE TRIGGER run_activity AFTER UPDATE OF phase, paused, open_interactions, awaits_children ON runs
WHEN (OLD.phase = 'running' AND OLD.paused = 0 AND OLD.open_interactions = 0 AND OLD.awaits_children = 0)
  <> (NEW.phase = 'running' AND NEW.paused = 0 AND NEW.open_interactions = 0 AND NEW.awaits_children = 0)
BEGIN
  UPDATE runs SET
    active_ms = active_ms + COALESCE(CAST(unixepoch('subsec') * 1000 AS INTEGER) - active_since, 0),
    active_since = iif(NEW.phase = 'running' AND NEW.paused = 0 AND NEW.open_interactions = 0 AND NEW.awaits_children = 0,
      CAST(unixepoch('subsec') * 1000 AS INTEGER), NULL)
  WHERE id = NEW.id;
END;

-- Endpoints of a tenant get the events of runs that somebody started, not of the children of an experiment.
DROP TRIGGER event_deliveries;
CREATE TRIGGER event_deliveries AFTER INSERT ON events BEGIN
  INSERT INTO deliveries (event_id, endpoint_id, tenant_id, run_id, type, id, round_began_at, next_attempt_at, created_at)
  SELECT NEW.id, e.id, e.tenant_id, NEW.run_id, NEW.type, 'del_' || substr(NEW.id, 5, 10) || hex(randomblob(8)), NEW.created_at, NEW.created_at,
    NEW.created_at
  FROM webhook_endpoints e WHERE e.id IN (
      SELECT o.id FROM runs r JOIN webhook_endpoints o ON o.tenant_id = r.tenant_id AND o.mode = r.mode AND o.run_id IS NULL
      WHERE r.id = NEW.run_id AND r.parent_id IS NULL
      UNION ALL
      SELECT o.id FROM runs r JOIN webhook_endpoints o ON o.tenant_id = r.tenant_id AND o.run_id = NEW.run_id WHERE r.id = NEW.run_id)
    AND e.status = 'enabled' AND EXISTS (SELECT 1 FROM json_each(e.events) WHERE value = NEW.type);
END;

-- Children in the queue count towards no quota of queued runs: their parent bounds them.
DROP TRIGGER run_counted;
CREATE TRIGGER run_counted AFTER INSERT ON runs BEGIN
  INSERT INTO usage_change VALUES (NEW.tenant_id, 'stored_bytes', NEW.stored_bytes);
  INSERT INTO usage_change VALUES (NEW.tenant_id, 'queued_runs', NEW.phase = 'queued' AND NEW.queued_at IS NOT NULL AND NEW.parent_id IS NULL);
END;

DROP TRIGGER run_queue_counted;
CREATE TRIGGER run_queue_counted AFTER UPDATE OF phase, queued_at ON runs WHEN NEW.parent_id IS NULL BEGIN
  INSERT INTO usage_change VALUES (NEW.tenant_id, 'queued_runs',
    (NEW.phase = 'queued' AND NEW.queued_at IS NOT NULL) - (OLD.phase = 'queued' AND OLD.queued_at IS NOT NULL));
END;

DROP TRIGGER run_uncounted;
CREATE TRIGGER run_uncounted AFTER DELETE ON runs BEGIN
  INSERT INTO usage_change VALUES (OLD.tenant_id, 'stored_bytes', -OLD.stored_bytes);
  INSERT INTO usage_change VALUES (OLD.tenant_id, 'queued_runs', -(OLD.phase = 'queued' AND OLD.queued_at IS NOT NULL AND OLD.parent_id IS NULL));
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
  WHEN 'queued_runs' THEN
    (SELECT COUNT(*) FROM runs WHERE tenant_id = tenants.id AND phase = 'queued' AND queued_at IS NOT NULL AND parent_id IS NULL)
  WHEN 'corpora' THEN (SELECT COUNT(*) FROM corpora WHERE tenant_id = tenants.id)
  WHEN 'documents' THEN
    (SELECT COUNT(*) FROM pools p JOIN documents d ON d.pool = p.number WHERE p.tenant_id = tenants.id AND substr(p.id, 1, 4) = 'cor_')
  WHEN 'passages' THEN
    (SELECT COALESCE(SUM(d.passages), 0) FROM pools p JOIN documents d ON d.pool = p.number
     WHERE p.tenant_id = tenants.id AND substr(p.id, 1, 4) = 'cor_')
  WHEN 'keys' THEN (SELECT COUNT(*) FROM keys WHERE tenant_id = tenants.id AND revoked_at IS NULL AND counted)
  WHEN 'webhook_endpoints' THEN (SELECT COUNT(*) FROM webhook_endpoints WHERE tenant_id = tenants.id AND run_id IS NULL)
  WHEN 'streams' THEN (SELECT COUNT(*) FROM stream_leases WHERE tenant_id = tenants.id)
  WHEN 'idempotency_keys' THEN (SELECT COUNT(*) FROM idempotency_keys WHERE scope IN (tenants.id || '/live', tenants.id || '/test'))
END AS used
FROM tenants CROSS JOIN json_each(
  '["stored_bytes","queued_runs","corpora","documents","passages","keys","webhook_endpoints","streams","idempotency_keys"]') names;
