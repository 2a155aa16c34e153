-- What a model was really asked, what of its output was hidden reasoning, and how often a run was started without getting anywhere.

ALTER TABLE artifacts ADD COLUMN dropped_parameters TEXT; -- JSON: parameters that were asked for and that the model does not take
ALTER TABLE artifacts ADD COLUMN response_model TEXT; -- the model that the response names
ALTER TABLE artifacts ADD COLUMN reasoning_tokens INTEGER NOT NULL DEFAULT 0; -- part of output_tokens
ALTER TABLE runs ADD COLUMN reasoning_tokens INTEGER NOT NULL DEFAULT 0;
-- Starts of a segment since its last progress: the segments that ended in order, and each new artifact, set it back.
ALTER TABLE runs ADD COLUMN unended_starts INTEGER NOT NULL DEFAULT 0;
ALTER TABLE run_trees ADD COLUMN reasoning_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE usage_days ADD COLUMN reasoning_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE ended_runs ADD COLUMN reasoning_tokens INTEGER NOT NULL DEFAULT 0;

-- The triggers that add usage are those of 0003, 0004, 0007 and 0010, with reasoning_tokens added.
DROP TRIGGER child_used;
CREATE TRIGGER child_used AFTER UPDATE OF llm_calls, input_tokens, output_tokens, cost_usd, reserved_calls, reserved_tokens, reserved_cost_usd ON runs
WHEN NEW.parent_id IS NOT NULL BEGIN
  UPDATE run_trees SET
    llm_calls = llm_calls + NEW.llm_calls - OLD.llm_calls,
    input_tokens = input_tokens + NEW.input_tokens - OLD.input_tokens,
    cached_input_tokens = cached_input_tokens + NEW.cached_input_tokens - OLD.cached_input_tokens,
    output_tokens = output_tokens + NEW.output_tokens - OLD.output_tokens,
    reasoning_tokens = reasoning_tokens + NEW.reasoning_tokens - OLD.reasoning_tokens,
    cost_usd = iif(NEW.cost_usd IS NULL, cost_usd, COALESCE(cost_usd, 0) + NEW.cost_usd - COALESCE(OLD.cost_usd, 0)),
    reserved_calls = reserved_calls + NEW.reserved_calls - OLD.reserved_calls,
    reserved_tokens = reserved_tokens + NEW.reserved_tokens - OLD.reserved_tokens,
    reserved_cost_usd = reserved_cost_usd + NEW.reserved_cost_usd - OLD.reserved_cost_usd
  WHERE run_id = NEW.parent_id;
END;

DROP TRIGGER run_used;
CREATE TRIGGER run_used AFTER UPDATE OF llm_calls, input_tokens, cached_input_tokens, output_tokens, cost_usd ON runs
WHEN NEW.llm_calls <> OLD.llm_calls OR NEW.input_tokens <> OLD.input_tokens OR NEW.output_tokens <> OLD.output_tokens
  OR NEW.cost_usd IS NOT OLD.cost_usd BEGIN
  INSERT INTO used
  VALUES (NEW.tenant_id, NEW.mode, NEW.workflow, NEW.used_role, NEW.used_model, NEW.llm_calls - OLD.llm_calls, NEW.used_priced IS 1,
    NEW.input_tokens - OLD.input_tokens, NEW.cached_input_tokens - OLD.cached_input_tokens, NEW.output_tokens - OLD.output_tokens,
    NEW.reasoning_tokens - OLD.reasoning_tokens, COALESCE(NEW.cost_usd, 0) - COALESCE(OLD.cost_usd, 0));
  INSERT INTO spending SELECT NEW.tenant_id, COALESCE(NEW.cost_usd, 0) - COALESCE(OLD.cost_usd, 0) WHERE NEW.mode = 'live';
END;

DROP TRIGGER artifact_created;
CREATE TRIGGER artifact_created AFTER INSERT ON artifacts
WHEN (SELECT archive_key FROM runs WHERE id = NEW.run_id) IS NULL BEGIN
  UPDATE runs SET
    heartbeat_at = NEW.created_at, stalled_at = NULL, unended_starts = 0, steps_done = steps_done + 1, updated_at = CAST(unixepoch('subsec') * 1000 AS INTEGER),
    stored_bytes = stored_bytes + 1000 + NEW.size,
    llm_calls = llm_calls + NEW.llm_calls, input_tokens = input_tokens + NEW.input_tokens,
    cached_input_tokens = cached_input_tokens + NEW.cached_input_tokens, output_tokens = output_tokens + NEW.output_tokens,
    reasoning_tokens = reasoning_tokens + NEW.reasoning_tokens,
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

DROP VIEW used;
CREATE VIEW used AS SELECT tenant_id, mode, workflow, role, model, llm_calls, 0 AS priced, input_tokens, cached_input_tokens, output_tokens,
  reasoning_tokens, 0.0 AS cost_usd FROM usage_days;

CREATE TRIGGER used_insert INSTEAD OF INSERT ON used BEGIN
  INSERT INTO usage_days (tenant_id, mode, day, workflow, role, model, llm_calls, unpriced_calls, input_tokens, cached_input_tokens, output_tokens,
    reasoning_tokens, picodollars)
  VALUES (NEW.tenant_id, NEW.mode, date('now'), NEW.workflow, COALESCE(NEW.role, ''), COALESCE(NEW.model, ''), NEW.llm_calls,
    iif(NEW.priced, 0, NEW.llm_calls), NEW.input_tokens, NEW.cached_input_tokens, NEW.output_tokens,
    NEW.reasoning_tokens, CAST(round(NEW.cost_usd * 1e12) AS INTEGER))
  ON CONFLICT DO UPDATE SET
    llm_calls = llm_calls + excluded.llm_calls, unpriced_calls = unpriced_calls + excluded.unpriced_calls,
    input_tokens = input_tokens + excluded.input_tokens, cached_input_tokens = cached_input_tokens + excluded.cached_input_tokens,
    output_tokens = output_tokens + excluded.output_tokens, reasoning_tokens = reasoning_tokens + excluded.reasoning_tokens,
    picodollars = picodollars + excluded.picodollars;
END;

DROP TRIGGER corpus_used;
CREATE TRIGGER corpus_used AFTER UPDATE OF llm_calls, input_tokens, cost_usd ON corpora
WHEN NEW.llm_calls <> OLD.llm_calls OR NEW.cost_usd IS NOT OLD.cost_usd BEGIN
  INSERT INTO used
  SELECT NEW.tenant_id, NEW.mode, '', NULL, NEW.embedding_model, NEW.llm_calls - OLD.llm_calls, NEW.cost_usd IS NOT NULL,
    NEW.input_tokens - OLD.input_tokens, 0, 0, 0, COALESCE(NEW.cost_usd, 0) - COALESCE(OLD.cost_usd, 0)
  WHERE NEW.llm_calls <> OLD.llm_calls;
  INSERT INTO spending SELECT NEW.tenant_id, COALESCE(NEW.cost_usd, 0) - COALESCE(OLD.cost_usd, 0) WHERE NEW.mode = 'live';
END;

DROP TRIGGER run_deleted;
CREATE TRIGGER run_deleted AFTER DELETE ON runs BEGIN
  INSERT INTO usage_change VALUES (OLD.tenant_id, 'stored_bytes', -OLD.stored_bytes);
  INSERT INTO usage_change VALUES (OLD.tenant_id, 'queued_runs', -(OLD.phase = 'queued' AND OLD.queued_at IS NOT NULL AND OLD.parent_id IS NULL));
  INSERT INTO ended_run
  SELECT OLD.tenant_id, OLD.mode, OLD.workflow, OLD.phase, -1, OLD.llm_calls, OLD.input_tokens, OLD.cached_input_tokens, OLD.output_tokens,
    OLD.reasoning_tokens, OLD.cost_usd
  WHERE OLD.phase IN ('completed', 'failed', 'canceled');
  DELETE FROM run_metadata WHERE (tenant_id, mode, key, value, run_id) IN (
    SELECT OLD.tenant_id, OLD.mode, key, value, OLD.id FROM json_each(OLD.metadata) WHERE OLD.parent_id IS NULL);
END;

DROP TRIGGER run_phase;
CREATE TRIGGER run_phase AFTER UPDATE OF phase ON runs WHEN OLD.phase <> NEW.phase BEGIN
  INSERT INTO new_event VALUES (NEW.id,
    CASE NEW.phase WHEN 'running' THEN 'run.started' WHEN 'queued' THEN 'run.retried' ELSE 'run.' || NEW.phase END,
    CASE NEW.phase
      WHEN 'failed' THEN json_object('error', json(NEW.error))
      WHEN 'completed' THEN json_object('accepted', json(NEW.output -> '$.accepted'), 'stop_reason', NEW.output ->> '$.stop_reason')
      ELSE json_object('epoch', NEW.epoch)
    END);
  INSERT OR REPLACE INTO run_ends (run_id, epoch, tenant_id, phase, ended_at, due_at)
  SELECT NEW.id, OLD.epoch, NEW.tenant_id, NEW.phase, NEW.finished_at, NEW.finished_at
  WHERE OLD.phase IN ('queued', 'running') AND NEW.phase IN ('completed', 'failed', 'canceled');
  INSERT INTO ended_run
  SELECT OLD.tenant_id, OLD.mode, OLD.workflow, OLD.phase, -1, OLD.llm_calls, OLD.input_tokens, OLD.cached_input_tokens, OLD.output_tokens,
    OLD.reasoning_tokens, OLD.cost_usd
  WHERE OLD.phase IN ('completed', 'failed', 'canceled');
  INSERT INTO ended_run
  SELECT NEW.tenant_id, NEW.mode, NEW.workflow, NEW.phase, 1, NEW.llm_calls, NEW.input_tokens, NEW.cached_input_tokens, NEW.output_tokens,
    NEW.reasoning_tokens, NEW.cost_usd
  WHERE NEW.phase IN ('completed', 'failed', 'canceled');
END;

DROP VIEW ended_run;
CREATE VIEW ended_run AS
SELECT tenant_id, mode, workflow, phase, runs, llm_calls, input_tokens, cached_input_tokens, output_tokens,
  reasoning_tokens, 0.0 AS cost_usd FROM ended_runs;

CREATE TRIGGER ended_run_counted INSTEAD OF INSERT ON ended_run BEGIN
  INSERT INTO ended_runs (tenant_id, mode, workflow, phase, runs, llm_calls, input_tokens, cached_input_tokens, output_tokens, reasoning_tokens,
    priced, picodollars)
  VALUES (NEW.tenant_id, NEW.mode, NEW.workflow, NEW.phase, NEW.runs, NEW.runs * NEW.llm_calls, NEW.runs * NEW.input_tokens,
    NEW.runs * NEW.cached_input_tokens, NEW.runs * NEW.output_tokens, NEW.runs * NEW.reasoning_tokens, NEW.runs * (NEW.cost_usd IS NOT NULL),
    NEW.runs * CAST(round(COALESCE(NEW.cost_usd, 0) * 1e12) AS INTEGER))
  ON CONFLICT DO UPDATE SET
    runs = runs + excluded.runs, llm_calls = llm_calls + excluded.llm_calls, input_tokens = input_tokens + excluded.input_tokens,
    cached_input_tokens = cached_input_tokens + excluded.cached_input_tokens, output_tokens = output_tokens + excluded.output_tokens,
    reasoning_tokens = reasoning_tokens + excluded.reasoning_tokens,
    priced = priced + excluded.priced, picodollars = picodollars + excluded.picodollars;
END;
