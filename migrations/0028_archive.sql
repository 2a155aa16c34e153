-- Archived runs: the rows of a run that ended long ago stand in one object in R2. Its own row, its interactions without their texts, and its
-- deliveries stay.
ALTER TABLE runs ADD COLUMN archive_key TEXT; -- of the object; NULL: the run is not archived
ALTER TABLE runs ADD COLUMN archive_stages TEXT; -- JSON, of an archived run: its stages as lists of runs need them
ALTER TABLE runs ADD COLUMN archive_base INTEGER; -- the time from which ARCHIVE_AFTER counts, when it is not the run's end

-- Runs that may be archived, in order of their turn. Children are archived with their parent.
CREATE INDEX runs_to_archive ON runs (COALESCE(archive_base, finished_at))
WHERE archive_key IS NULL AND parent_id IS NULL AND phase IN ('completed', 'failed', 'canceled');

-- Rows that are written while their run is archived were there before: they cause no events, and are counted already.

DROP TRIGGER stage_started;
CREATE TRIGGER stage_started AFTER INSERT ON stages
WHEN (SELECT archive_key FROM runs WHERE id = NEW.run_id) IS NULL BEGIN
  UPDATE runs SET stage = NEW.stage, heartbeat_at = NEW.started_at, stalled_at = NULL WHERE id = NEW.run_id;
  INSERT INTO new_event VALUES (NEW.run_id, 'run.stage_started', json_object('stage', NEW.stage, 'iteration', NEW.iteration));
END;

DROP TRIGGER artifact_created;
CREATE TRIGGER artifact_created AFTER INSERT ON artifacts
WHEN (SELECT archive_key FROM runs WHERE id = NEW.run_id) IS NULL BEGIN
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

DROP TRIGGER artifact_counted;
CREATE TRIGGER artifact_counted AFTER INSERT ON artifacts
WHEN (SELECT archive_key FROM runs WHERE id = NEW.run_id) IS NULL BEGIN
  UPDATE runs SET stored_bytes = stored_bytes + 1000 + NEW.size WHERE id = NEW.run_id;
END;

DROP TRIGGER execution_counted;
CREATE TRIGGER execution_counted AFTER INSERT ON artifacts
WHEN NEW.kind = 'execution_log' AND (SELECT archive_key FROM runs WHERE id = NEW.run_id) IS NULL BEGIN
  INSERT INTO quota_usage (tenant_id, quota, day, used)
  SELECT tenant_id, 'sandbox_executions', NEW.created_at / 86400000, 1 FROM runs WHERE id = NEW.run_id
  ON CONFLICT (tenant_id, quota) DO UPDATE SET used = iif(day = excluded.day, used + 1, 1), day = excluded.day;
END;

DROP TRIGGER answer_counted;
CREATE TRIGGER answer_counted AFTER UPDATE OF answer ON interactions
WHEN NEW.answer IS NOT OLD.answer AND (SELECT archive_key FROM runs WHERE id = NEW.run_id) IS NULL BEGIN
  UPDATE runs SET stored_bytes = stored_bytes + COALESCE(length(CAST(NEW.answer AS BLOB)), 0) - COALESCE(length(CAST(OLD.answer AS BLOB)), 0)
  WHERE id = NEW.run_id;
END;

DROP TRIGGER event_deliveries;
CREATE TRIGGER event_deliveries AFTER INSERT ON events
WHEN (SELECT archive_key FROM runs WHERE id = NEW.run_id) IS NULL BEGIN
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
