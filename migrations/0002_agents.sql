-- The worker-agent registry: what a tenant adds to the agents that are built in (those stand in the code, not here).

CREATE TABLE agents (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  name TEXT NOT NULL,
  name_key TEXT NOT NULL, -- the name as it is compared: case and width folded
  description TEXT NOT NULL,
  capabilities TEXT NOT NULL,
  when_to_use TEXT NOT NULL,
  input TEXT NOT NULL,
  output TEXT NOT NULL,
  instructions TEXT NOT NULL,
  tools TEXT NOT NULL,
  mcp_servers TEXT NOT NULL, -- [{name, url, header_names, sealed_headers}]; headers are sealed like webhook secrets
  model TEXT, -- NULL: that of the run's role `agent`
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (tenant_id, name_key)
) STRICT;

CREATE INDEX agents_by_tenant ON agents (tenant_id, id);
