-- Times are milliseconds since the epoch; JSON stands in TEXT columns.
-- Triggers write each event with the row it tells of, so that neither can exist without the other.

CREATE TABLE tenants (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE keys (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  name TEXT NOT NULL,
  mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
  hash TEXT NOT NULL UNIQUE, -- SHA-256 of the whole key, in hex
  hint TEXT NOT NULL, -- its last four characters, to tell keys apart
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  revoked_at INTEGER
) STRICT;

CREATE INDEX keys_by_tenant ON keys (tenant_id, id);

CREATE TABLE runs (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  workflow TEXT NOT NULL,
  workflow_version INTEGER NOT NULL,
  mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
  input TEXT, -- NULL when it is large and stands in R2 under input_key
  input_key TEXT,
  options TEXT NOT NULL,
  models TEXT NOT NULL,
  limits TEXT NOT NULL,
  metadata TEXT NOT NULL,
  test TEXT,
  origin TEXT NOT NULL, -- base of callback URLs
  phase TEXT NOT NULL DEFAULT 'queued' CHECK (phase IN ('queued', 'running', 'completed', 'failed', 'canceled')),
  epoch INTEGER NOT NULL DEFAULT 1, -- raised by retry and cancel; an instance of an older epoch writes nothing
  generation INTEGER NOT NULL DEFAULT 1,
  generations TEXT NOT NULL DEFAULT '{}', -- stage -> generation opened there by retry {from_stage}
  paused INTEGER NOT NULL DEFAULT 0,
  pauses INTEGER NOT NULL DEFAULT 0, -- how often it was paused; resume_<pauses> ends the latest
  open_interactions INTEGER NOT NULL DEFAULT 0,
  status TEXT NOT NULL GENERATED ALWAYS AS (
    CASE
      WHEN phase IN ('completed', 'failed', 'canceled') THEN phase
      WHEN open_interactions > 0 THEN 'input_required'
      WHEN paused THEN 'paused'
      ELSE phase
    END
  ) VIRTUAL,
  stage TEXT,
  steps_done INTEGER NOT NULL DEFAULT 0,
  llm_calls INTEGER NOT NULL DEFAULT 0,
  input_tokens INTEGER NOT NULL DEFAULT 0,
  cached_input_tokens INTEGER NOT NULL DEFAULT 0,
  output_tokens INTEGER NOT NULL DEFAULT 0,
  cost_usd REAL, -- NULL while no price is known
  reserved_calls INTEGER NOT NULL DEFAULT 0,
  reserved_tokens INTEGER NOT NULL DEFAULT 0,
  reserved_cost_usd REAL NOT NULL DEFAULT 0,
  active_ms INTEGER NOT NULL DEFAULT 0, -- time spent neither waiting for input nor paused
  active_since INTEGER,
  budget_warned INTEGER NOT NULL DEFAULT 0,
  output TEXT,
  error TEXT,
  heartbeat_at INTEGER NOT NULL,
  nudged_at INTEGER NOT NULL DEFAULT 0,
  stalled_at INTEGER,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  updated_at INTEGER NOT NULL,
  finished_at INTEGER
) STRICT;

CREATE INDEX runs_by_tenant ON runs (tenant_id, id);
CREATE INDEX runs_alive ON runs (heartbeat_at) WHERE phase IN ('queued', 'running');

-- One row a stage entered; its two events come from its two times.
CREATE TABLE stages (
  run_id TEXT NOT NULL,
  stage TEXT NOT NULL,
  iteration INTEGER NOT NULL,
  generation INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  completed_at INTEGER,
  PRIMARY KEY (run_id, stage, iteration, generation)
) STRICT, WITHOUT ROWID;

CREATE TABLE artifacts (
  id TEXT PRIMARY KEY,
  run_id TEXT NOT NULL,
  act TEXT NOT NULL, -- stable name: stage/action#key
  generation INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  kind TEXT NOT NULL,
  subject TEXT NOT NULL DEFAULT '', -- which of several of a kind: a stakeholder, an entity type
  version INTEGER NOT NULL,
  iteration INTEGER NOT NULL,
  stage TEXT NOT NULL,
  action TEXT NOT NULL, -- the paper's caused_by
  role TEXT NOT NULL,
  sent_from TEXT NOT NULL,
  send_to TEXT NOT NULL,
  inputs TEXT NOT NULL, -- ids of the artifacts it was made from
  media_type TEXT NOT NULL,
  content TEXT, -- NULL when it is large and stands in R2 under content_key
  content_key TEXT,
  size INTEGER NOT NULL, -- bytes
  sha256 TEXT NOT NULL,
  model TEXT, -- NULL when no model made it
  rung TEXT,
  parameters TEXT,
  prompt_hash TEXT,
  repairs INTEGER NOT NULL DEFAULT 0,
  llm_calls INTEGER NOT NULL DEFAULT 0,
  input_tokens INTEGER NOT NULL DEFAULT 0,
  cached_input_tokens INTEGER NOT NULL DEFAULT 0,
  output_tokens INTEGER NOT NULL DEFAULT 0,
  cost_usd REAL,
  released_calls INTEGER NOT NULL DEFAULT 0, -- reservations this row settles
  released_tokens INTEGER NOT NULL DEFAULT 0,
  released_cost_usd REAL NOT NULL DEFAULT 0,
  duration_ms INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (run_id, act, generation)
) STRICT;

CREATE INDEX artifacts_by_run ON artifacts (run_id, id);

CREATE TABLE interactions (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  run_id TEXT NOT NULL,
  act TEXT NOT NULL,
  generation INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('clarification', 'feedback', 'approval')),
  status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'answered', 'expired', 'canceled')),
  stage TEXT NOT NULL,
  prompt TEXT NOT NULL,
  artifacts TEXT NOT NULL,
  questions TEXT NOT NULL,
  answer_schema TEXT NOT NULL,
  answer TEXT,
  answered_by TEXT,
  on_expiry TEXT NOT NULL CHECK (on_expiry IN ('proceed', 'fail')),
  expires_at INTEGER NOT NULL,
  acknowledged INTEGER NOT NULL DEFAULT 0, -- 1 once the instance has read how it ended
  created_at INTEGER NOT NULL,
  settled_at INTEGER,
  UNIQUE (run_id, act, generation, epoch)
) STRICT;

CREATE INDEX interactions_by_tenant ON interactions (tenant_id, id);
CREATE INDEX interactions_open ON interactions (expires_at) WHERE status = 'open';
CREATE INDEX interactions_unacknowledged ON interactions (settled_at) WHERE acknowledged = 0;

CREATE TABLE events (
  id TEXT NOT NULL UNIQUE DEFAULT (
    -- A ULID: ten characters of time, then sixteen of chance (hexadecimal digits are Crockford digits too).
    'evt_' || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (CAST(unixepoch('subsec') * 1000 AS INTEGER) >> 45 & 31) + 1, 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (CAST(unixepoch('subsec') * 1000 AS INTEGER) >> 40 & 31) + 1, 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (CAST(unixepoch('subsec') * 1000 AS INTEGER) >> 35 & 31) + 1, 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (CAST(unixepoch('subsec') * 1000 AS INTEGER) >> 30 & 31) + 1, 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (CAST(unixepoch('subsec') * 1000 AS INTEGER) >> 25 & 31) + 1, 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (CAST(unixepoch('subsec') * 1000 AS INTEGER) >> 20 & 31) + 1, 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (CAST(unixepoch('subsec') * 1000 AS INTEGER) >> 15 & 31) + 1, 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (CAST(unixepoch('subsec') * 1000 AS INTEGER) >> 10 & 31) + 1, 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (CAST(unixepoch('subsec') * 1000 AS INTEGER) >> 5 & 31) + 1, 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (CAST(unixepoch('subsec') * 1000 AS INTEGER) & 31) + 1, 1)
    || hex(randomblob(8))
  ),
  run_id TEXT NOT NULL,
  seq INTEGER NOT NULL, -- dense per run, from 1
  type TEXT NOT NULL,
  data TEXT NOT NULL,
  created_at INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)),
  PRIMARY KEY (run_id, seq)
) STRICT, WITHOUT ROWID;

-- The one door to the event log: it numbers an event and adds the run's status.
CREATE VIEW new_event AS SELECT run_id, type, data FROM events;

CREATE TRIGGER new_event_insert INSTEAD OF INSERT ON new_event BEGIN
  INSERT INTO events (run_id, seq, type, data)
  SELECT NEW.run_id, COALESCE((SELECT MAX(seq) FROM events WHERE run_id = NEW.run_id), 0) + 1, NEW.type,
    json_set(NEW.data, '$.status', status) FROM runs WHERE id = NEW.run_id;
  UPDATE runs SET updated_at = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE id = NEW.run_id;
END;

CREATE TRIGGER run_created AFTER INSERT ON runs BEGIN
  INSERT INTO new_event VALUES (NEW.id, 'run.created', json_object('workflow', NEW.workflow, 'mode', NEW.mode));
END;

CREATE TRIGGER run_activity AFTER UPDATE OF phase, paused, open_interactions ON runs
WHEN (OLD.phase = 'running' AND OLD.paused = 0 AND OLD.open_interactions = 0) <> (NEW.phase = 'running' AND NEW.paused = 0 AND NEW.open_interactions = 0)
BEGIN
  UPDATE runs SET
    active_ms = active_ms + COALESCE(CAST(unixepoch('subsec') * 1000 AS INTEGER) - active_since, 0),
    active_since = iif(NEW.phase = 'running' AND NEW.paused = 0 AND NEW.open_interactions = 0, CAST(unixepoch('subsec') * 1000 AS INTEGER), NULL)
  WHERE id = NEW.id;
END;

CREATE TRIGGER run_phase AFTER UPDATE OF phase ON runs WHEN OLD.phase <> NEW.phase BEGIN
  INSERT INTO new_event VALUES (NEW.id,
    CASE NEW.phase WHEN 'running' THEN 'run.started' WHEN 'queued' THEN 'run.retried' ELSE 'run.' || NEW.phase END,
    CASE NEW.phase
      WHEN 'failed' THEN json_object('error', json(NEW.error))
      WHEN 'completed' THEN json_object('accepted', json(NEW.output -> '$.accepted'), 'stop_reason', NEW.output ->> '$.stop_reason')
      ELSE json_object('epoch', NEW.epoch)
    END);
END;

CREATE TRIGGER run_paused AFTER UPDATE OF paused ON runs
WHEN OLD.paused <> NEW.paused AND NEW.phase IN ('queued', 'running') AND OLD.phase IN ('queued', 'running') BEGIN
  INSERT INTO new_event VALUES (NEW.id, iif(NEW.paused, 'run.paused', 'run.resumed'), '{}');
END;

CREATE TRIGGER run_budget_warned AFTER UPDATE OF budget_warned ON runs WHEN NEW.budget_warned > OLD.budget_warned BEGIN
  INSERT INTO new_event VALUES (NEW.id, 'run.budget_warning', json_object('limits', json(NEW.limits), 'usage',
    json_object('llm_calls', NEW.llm_calls, 'input_tokens', NEW.input_tokens, 'output_tokens', NEW.output_tokens, 'cost_usd', NEW.cost_usd)));
END;

CREATE TRIGGER run_stalled AFTER UPDATE OF stalled_at ON runs WHEN OLD.stalled_at IS NULL AND NEW.stalled_at IS NOT NULL BEGIN
  INSERT INTO new_event VALUES (NEW.id, 'run.stalled', json_object('stage', NEW.stage, 'heartbeat_at', NEW.heartbeat_at));
END;

CREATE TRIGGER stage_started AFTER INSERT ON stages BEGIN
  UPDATE runs SET stage = NEW.stage, heartbeat_at = NEW.started_at, stalled_at = NULL WHERE id = NEW.run_id;
  INSERT INTO new_event VALUES (NEW.run_id, 'run.stage_started', json_object('stage', NEW.stage, 'iteration', NEW.iteration));
END;

CREATE TRIGGER stage_completed AFTER UPDATE OF completed_at ON stages WHEN OLD.completed_at IS NULL AND NEW.completed_at IS NOT NULL BEGIN
  INSERT INTO new_event VALUES (NEW.run_id, 'run.stage_completed', json_object('stage', NEW.stage, 'iteration', NEW.iteration));
END;

CREATE TRIGGER artifact_created AFTER INSERT ON artifacts BEGIN
  UPDATE runs SET
    heartbeat_at = NEW.created_at, stalled_at = NULL, steps_done = steps_done + 1,
    llm_calls = llm_calls + NEW.llm_calls, input_tokens = input_tokens + NEW.input_tokens,
    cached_input_tokens = cached_input_tokens + NEW.cached_input_tokens, output_tokens = output_tokens + NEW.output_tokens,
    cost_usd = CASE WHEN NEW.cost_usd IS NULL THEN cost_usd ELSE COALESCE(cost_usd, 0) + NEW.cost_usd END,
    reserved_calls = reserved_calls - NEW.released_calls, reserved_tokens = reserved_tokens - NEW.released_tokens,
    reserved_cost_usd = reserved_cost_usd - NEW.released_cost_usd
  WHERE id = NEW.run_id;
  DELETE FROM orphans WHERE key = NEW.content_key;
  INSERT INTO new_event VALUES (NEW.run_id, 'run.artifact_created', json_object('artifact_id', NEW.id, 'kind', NEW.kind,
    'version', NEW.version, 'act', NEW.act, 'stage', NEW.stage, 'role', NEW.role, 'action', NEW.action));
END;

CREATE TRIGGER interaction_opened AFTER INSERT ON interactions BEGIN
  UPDATE runs SET open_interactions = open_interactions + 1, heartbeat_at = NEW.created_at WHERE id = NEW.run_id;
  INSERT INTO new_event VALUES (NEW.run_id, 'run.input_required', json_object('interaction_id', NEW.id, 'kind', NEW.kind, 'stage', NEW.stage));
END;

CREATE TRIGGER interaction_settled AFTER UPDATE OF status ON interactions WHEN OLD.status = 'open' AND NEW.status <> 'open' BEGIN
  UPDATE runs SET open_interactions = open_interactions - 1, heartbeat_at = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE id = NEW.run_id;
  INSERT INTO new_event SELECT NEW.run_id, iif(NEW.status = 'answered', 'run.input_received', 'run.input_expired'),
    json_object('interaction_id', NEW.id, 'kind', NEW.kind, 'stage', NEW.stage, 'answered_by', NEW.answered_by)
  WHERE NEW.status IN ('answered', 'expired');
END;

-- A run's own webhook is an endpoint with a run_id; endpoints of a whole tenant have none.
CREATE TABLE webhook_endpoints (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  run_id TEXT,
  url TEXT NOT NULL,
  events TEXT NOT NULL,
  secret TEXT NOT NULL, -- sealed (AES-GCM under a key derived from PARLEY_SECRET)
  status TEXT NOT NULL DEFAULT 'enabled' CHECK (status IN ('enabled', 'disabled')),
  disabled_because TEXT,
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX webhook_endpoints_by_tenant ON webhook_endpoints (tenant_id, run_id);

CREATE TABLE deliveries (
  event_id TEXT NOT NULL,
  endpoint_id TEXT NOT NULL,
  tenant_id TEXT NOT NULL,
  run_id TEXT NOT NULL,
  id TEXT NOT NULL UNIQUE,
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed')),
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at INTEGER, -- NULL once it is settled
  created_at INTEGER NOT NULL,
  settled_at INTEGER,
  PRIMARY KEY (event_id, endpoint_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX deliveries_due ON deliveries (endpoint_id, next_attempt_at) WHERE status = 'pending';
CREATE INDEX deliveries_by_run ON deliveries (run_id);

CREATE TABLE delivery_attempts (
  delivery_id TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  response_status INTEGER,
  response_body TEXT, -- its first kilobyte
  error TEXT,
  PRIMARY KEY (delivery_id, attempt)
) STRICT, WITHOUT ROWID;

-- The chance half of the event's ULID is replaced: several endpoints may take one event.
CREATE TRIGGER event_deliveries AFTER INSERT ON events BEGIN
  INSERT INTO deliveries (event_id, endpoint_id, tenant_id, run_id, id, next_attempt_at, created_at)
  SELECT NEW.id, e.id, e.tenant_id, NEW.run_id, 'del_' || substr(NEW.id, 5, 10) || hex(randomblob(8)), NEW.created_at, NEW.created_at
  FROM runs r JOIN webhook_endpoints e ON e.tenant_id = r.tenant_id AND (e.run_id IS NULL OR e.run_id = NEW.run_id)
  WHERE r.id = NEW.run_id AND e.status = 'enabled' AND EXISTS (SELECT 1 FROM json_each(e.events) WHERE value = NEW.type);
END;

-- What a model was found to accept, so that the next run need not find out again.
CREATE TABLE model_capabilities (
  model TEXT PRIMARY KEY, -- <provider>/<model>
  capabilities TEXT NOT NULL,
  learnt_at INTEGER NOT NULL
) STRICT;

-- Objects in R2 that no row may point to: written before their row, or left by a deleted run. The keeper removes them.
CREATE TABLE orphans (
  key TEXT PRIMARY KEY, -- one object, or with a trailing slash all below it
  due_at INTEGER NOT NULL
) STRICT;
