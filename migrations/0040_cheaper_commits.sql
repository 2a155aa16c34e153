-- The commit of an artifact changes the run's row once: until now its bytes, its usage and the time of its event were an UPDATE each. The event
-- goes to `events` directly, because `new_event` would set that time again.
DROP TRIGGER artifact_counted;
DROP TRIGGER artifact_created;
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
    json_object('artifact_id', NEW.id, 'kind', NEW.kind, 'version', NEW.version, 'act', NEW.act, 'stage', NEW.stage, 'role', NEW.role,
      'action', NEW.action, 'status', status) FROM runs WHERE id = NEW.run_id;
END;
