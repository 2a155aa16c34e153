-- An artifact: the immutable, versioned result of a step. Its row is the commit of the step.
CREATE TABLE artifacts (
  id TEXT PRIMARY KEY,
  run_id TEXT NOT NULL,
  step TEXT NOT NULL, -- stable name of the step: stage/action#key
  generation INTEGER NOT NULL, epoch INTEGER NOT NULL, kind TEXT NOT NULL,
  subject TEXT NOT NULL DEFAULT '', -- which of several of a kind: a stakeholder, an entity type
  version INTEGER NOT NULL, iteration INTEGER NOT NULL, stage TEXT NOT NULL,
  action TEXT NOT NULL, -- the paper's caused_by
  role TEXT NOT NULL, sent_from TEXT NOT NULL, send_to TEXT NOT NULL,
  inputs TEXT NOT NULL, -- JSON: ids of the artifacts it was made from
  -- The content
  media_type TEXT NOT NULL,
  content TEXT, -- NULL when it is large and in R2 under content_key
  content_key TEXT,
  size INTEGER NOT NULL, -- bytes
  sha256 TEXT NOT NULL,
  -- How it was made
  model TEXT, -- NULL when no model made it
  output_mode TEXT, -- how the model was asked for structured output
  parameters TEXT, -- JSON
  prompt_hash TEXT, repairs INTEGER NOT NULL DEFAULT 0,
  tries INTEGER NOT NULL DEFAULT 1, -- samples that were drawn until one was usable, without repairs
  code_version TEXT, -- of the code that made it: a run may outlive a deployment
  duration_ms INTEGER NOT NULL,
  -- What it used, and what it returns of the run's reservations
  llm_calls INTEGER NOT NULL DEFAULT 0, input_tokens INTEGER NOT NULL DEFAULT 0, cached_input_tokens INTEGER NOT NULL DEFAULT 0,
  output_tokens INTEGER NOT NULL DEFAULT 0, cost_usd REAL, -- NULL when no price is known
  released_calls INTEGER NOT NULL DEFAULT 0, released_tokens INTEGER NOT NULL DEFAULT 0, released_cost_usd REAL NOT NULL DEFAULT 0,
  -- An agent call of a generated program
  execution TEXT, -- step of the program's execution; NULL for everything else
  completed_seq INTEGER, -- order of commits, dense per execution from 1: a replay returns outcomes in it
  ok INTEGER, -- {0 | 1} 0: the agent failed, which is an outcome like any other
  created_at INTEGER NOT NULL,
  UNIQUE (run_id, step, generation)
) STRICT;
CREATE INDEX artifacts_by_run ON artifacts (run_id, id);
CREATE UNIQUE INDEX artifacts_of_execution ON artifacts (run_id, generation, execution, completed_seq) WHERE execution IS NOT NULL;
CREATE INDEX artifacts_content ON artifacts (content_key) WHERE content_key IS NOT NULL;

-- What happens when an artifact is inserted, in this order and in one transaction:
--  1. The run's row changes, once: usage, reservations, stored bytes, heartbeat. Its own triggers (0003) add the difference, in any order, to
--     a. the tenant's quota of stored bytes (run_bytes_counted),
--     b. the parent's sums, when the run is a child (child_used),
--     c. the usage of the day, and in live mode what is spent of the budget, which may cause an alarm and its webhook message (run_used).
--  2. Its object in R2 is no orphan any more: its row exists.
--  3. The event run.artifact_created is written, and becomes a delivery for each webhook endpoint that wants it (event_deliveries in 0006).
--     Not by way of new_event, which would change the run's row a second time.
--  4. An execution of a generated program counts in the tenant's quota of the day.
-- A trigger, because an instance commits a step by a single INSERT: then a step is stored with all of this, or not at all.
-- Not for rows of an archived run, which are inserted again when the run is restored.
CREATE TRIGGER artifact_created AFTER INSERT ON artifacts
WHEN (SELECT archive_key FROM runs WHERE id = NEW.run_id) IS NULL BEGIN
  UPDATE runs SET
    heartbeat_at = NEW.created_at, stalled_at = NULL, steps_done = steps_done + 1, updated_at = CAST(unixepoch('subsec') * 1000 AS INTEGER),
    stored_bytes = stored_bytes + 1000 + NEW.size,
    llm_calls = llm_calls + NEW.llm_calls, input_tokens = input_tokens + NEW.input_tokens,
    cached_input_tokens = cached_input_tokens + NEW.cached_input_tokens, output_tokens = output_tokens + NEW.output_tokens,
    cost_usd = CASE WHEN NEW.cost_usd IS NULL THEN cost_usd ELSE COALESCE(cost_usd, 0) + NEW.cost_usd END,
    reserved_calls = reserved_calls - NEW.released_calls, reserved_tokens = reserved_tokens - NEW.released_tokens,
    reserved_cost_usd = reserved_cost_usd - NEW.released_cost_usd,
    used_role = NEW.role, used_model = NEW.model, used_priced = NEW.cost_usd IS NOT NULL
  WHERE id = NEW.run_id;
  DELETE FROM orphans WHERE key = NEW.content_key;
  INSERT INTO events (run_id, seq, type, data)
  SELECT NEW.run_id, COALESCE((SELECT MAX(seq) FROM events WHERE run_id = NEW.run_id), 0) + 1, 'run.artifact_created',
    json_object('artifact_id', NEW.id, 'kind', NEW.kind, 'version', NEW.version, 'step', NEW.step, 'stage', NEW.stage, 'role', NEW.role,
      'action', NEW.action, 'status', status) FROM runs WHERE id = NEW.run_id;
  INSERT INTO quota_usage (tenant_id, quota, day, used)
  SELECT tenant_id, 'sandbox_executions', NEW.created_at / 86400000, 1 FROM runs WHERE id = NEW.run_id AND NEW.kind = 'execution_log'
  ON CONFLICT (tenant_id, quota) DO UPDATE SET used = iif(day = excluded.day, used + 1, 1), day = excluded.day;
END;
