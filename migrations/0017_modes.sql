-- Test and live never meet: agents, webhook endpoints with their messages, and interactions have a mode, as runs, corpora and keys have.
-- Agents and endpoints from before become live; what belongs to a run has the mode of the run.

CREATE TABLE new_agents (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
  name TEXT NOT NULL,
  name_key TEXT NOT NULL, -- the name as it is compared: case and width folded
  description TEXT NOT NULL,
  capabilities TEXT NOT NULL,
  when_to_use TEXT NOT NULL,
  input TEXT NOT NULL,
  output TEXT NOT NULL,
  instructions TEXT NOT NULL,
  tools TEXT NOT NULL,
  mcp_servers TEXT NOT NULL, -- [{name, url, header_names, sealed_headers}]; headers are encrypted like webhook secrets
  model TEXT, -- NULL: the model of the run's role `agent`
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (tenant_id, mode, name_key)
) STRICT;

INSERT INTO new_agents (id, tenant_id, mode, name, name_key, description, capabilities, when_to_use, input, output, instructions, tools, mcp_servers,
  model, created_at, updated_at)
SELECT id, tenant_id, 'live', name, name_key, description, capabilities, when_to_use, input, output, instructions, tools, mcp_servers, model,
  created_at, updated_at
FROM agents;

DROP TABLE agents;
ALTER TABLE new_agents RENAME TO agents;
CREATE INDEX agents_by_owner ON agents (tenant_id, mode, id);

ALTER TABLE webhook_endpoints ADD COLUMN mode TEXT NOT NULL DEFAULT 'live' CHECK (mode IN ('test', 'live'));
UPDATE webhook_endpoints SET mode = 'test' WHERE run_id IN (SELECT id FROM runs WHERE mode = 'test');
ALTER TABLE webhook_messages ADD COLUMN mode TEXT NOT NULL DEFAULT 'live' CHECK (mode IN ('test', 'live'));

ALTER TABLE interactions ADD COLUMN mode TEXT NOT NULL DEFAULT 'live' CHECK (mode IN ('test', 'live'));
UPDATE interactions SET mode = 'test' WHERE run_id IN (SELECT id FROM runs WHERE mode = 'test');
DROP INDEX interactions_by_tenant;
CREATE INDEX interactions_by_owner ON interactions (tenant_id, mode, id);

-- Lists are of one mode.
DROP INDEX runs_by_tenant;
CREATE INDEX runs_by_owner ON runs (tenant_id, mode, id);
DROP INDEX corpora_by_tenant;
CREATE INDEX corpora_by_owner ON corpora (tenant_id, mode, id);

-- Idempotency keys: each mode has its own.
UPDATE idempotency_keys SET scope = scope || '/' || COALESCE(
  (SELECT mode FROM runs WHERE id = COALESCE(idempotency_keys.run_id, idempotency_keys.made)),
  (SELECT mode FROM corpora WHERE id = idempotency_keys.made),
  'live')
WHERE scope LIKE 'ten\_%' ESCAPE '\';

-- An event goes to endpoints of its run's mode. Two searches, because an OR would read the endpoints of all runs of the tenant.
DROP TRIGGER event_deliveries;
CREATE TRIGGER event_deliveries AFTER INSERT ON events BEGIN
  INSERT INTO deliveries (event_id, endpoint_id, tenant_id, run_id, type, id, round_began_at, next_attempt_at, created_at)
  SELECT NEW.id, e.id, e.tenant_id, NEW.run_id, NEW.type, 'del_' || substr(NEW.id, 5, 10) || hex(randomblob(8)), NEW.created_at, NEW.created_at,
    NEW.created_at
  FROM webhook_endpoints e WHERE e.id IN (
      SELECT o.id FROM runs r JOIN webhook_endpoints o ON o.tenant_id = r.tenant_id AND o.mode = r.mode AND o.run_id IS NULL WHERE r.id = NEW.run_id
      UNION ALL
      SELECT o.id FROM runs r JOIN webhook_endpoints o ON o.tenant_id = r.tenant_id AND o.run_id = NEW.run_id WHERE r.id = NEW.run_id)
    AND e.status = 'enabled' AND EXISTS (SELECT 1 FROM json_each(e.events) WHERE value = NEW.type);
END;

-- A message without an endpoint goes to those of the tenant, of its mode.
DROP TRIGGER message_deliveries;
CREATE TRIGGER message_deliveries AFTER INSERT ON webhook_messages BEGIN
  INSERT INTO deliveries (event_id, endpoint_id, tenant_id, type, id, round_began_at, next_attempt_at, created_at)
  SELECT NEW.id, e.id, e.tenant_id, NEW.type, 'del_' || substr(NEW.id, 5, 10) || hex(randomblob(8)), NEW.created_at, NEW.created_at, NEW.created_at
  FROM webhook_endpoints e
  WHERE e.tenant_id = NEW.tenant_id AND e.status = 'enabled' AND iif(NEW.endpoint_id IS NULL,
    e.mode = NEW.mode AND e.run_id IS NULL AND EXISTS (SELECT 1 FROM json_each(e.events) WHERE value = NEW.type), e.id = NEW.endpoint_id);
END;

DROP TRIGGER endpoint_disabled;
CREATE TRIGGER endpoint_disabled AFTER UPDATE OF status ON webhook_endpoints WHEN OLD.status = 'enabled' AND NEW.status = 'disabled' BEGIN
  UPDATE deliveries SET status = 'failed', next_attempt_at = NULL, settled_at = NEW.disabled_at WHERE endpoint_id = NEW.id AND status = 'pending';
  INSERT INTO webhook_messages (tenant_id, mode, type, data)
  SELECT NEW.tenant_id, NEW.mode, 'webhook_endpoint.disabled', json_object('endpoint', json_object('id', NEW.id, 'run_id', NEW.run_id,
    'disabled_because', NEW.disabled_because))
  WHERE NEW.disabled_because <> 'by_request';
END;
