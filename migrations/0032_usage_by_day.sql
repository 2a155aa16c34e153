-- What runs and corpora used, by day (UTC), workflow, role and model. It stays when a run is deleted: the money is spent.
CREATE TABLE usage_days (
  tenant_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  day TEXT NOT NULL, -- YYYY-MM-DD
  workflow TEXT NOT NULL, -- '': a corpus
  role TEXT NOT NULL, -- '': none, or it is not known
  model TEXT NOT NULL, -- '': it is not known
  llm_calls INTEGER NOT NULL,
  unpriced_calls INTEGER NOT NULL, -- of them, those whose cost is not known
  input_tokens INTEGER NOT NULL,
  cached_input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  picodollars INTEGER NOT NULL, -- sums of fractions would drift
  PRIMARY KEY (tenant_id, mode, day, workflow, role, model)
) STRICT, WITHOUT ROWID;

-- Every statement that changes a run's usage says here whose it is.
ALTER TABLE runs ADD COLUMN used_role TEXT;
ALTER TABLE runs ADD COLUMN used_model TEXT;
ALTER TABLE runs ADD COLUMN used_priced INTEGER; -- whether the cost of this usage is known

CREATE VIEW used AS SELECT tenant_id, mode, workflow, role, model, llm_calls, 0 AS priced, input_tokens, cached_input_tokens, output_tokens,
  0.0 AS cost_usd FROM usage_days;

CREATE TRIGGER used_insert INSTEAD OF INSERT ON used BEGIN
  INSERT INTO usage_days
  VALUES (NEW.tenant_id, NEW.mode, date('now'), NEW.workflow, COALESCE(NEW.role, ''), COALESCE(NEW.model, ''), NEW.llm_calls,
    iif(NEW.priced, 0, NEW.llm_calls), NEW.input_tokens, NEW.cached_input_tokens, NEW.output_tokens,
    CAST(round(NEW.cost_usd * 1e12) AS INTEGER))
  ON CONFLICT DO UPDATE SET
    llm_calls = llm_calls + excluded.llm_calls, unpriced_calls = unpriced_calls + excluded.unpriced_calls,
    input_tokens = input_tokens + excluded.input_tokens, cached_input_tokens = cached_input_tokens + excluded.cached_input_tokens,
    output_tokens = output_tokens + excluded.output_tokens, picodollars = picodollars + excluded.picodollars;
END;

CREATE TRIGGER run_used AFTER UPDATE OF llm_calls, input_tokens, cached_input_tokens, output_tokens, cost_usd ON runs
WHEN NEW.llm_calls <> OLD.llm_calls OR NEW.input_tokens <> OLD.input_tokens OR NEW.output_tokens <> OLD.output_tokens
  OR NEW.cost_usd IS NOT OLD.cost_usd BEGIN
  INSERT INTO used
  VALUES (NEW.tenant_id, NEW.mode, NEW.workflow, NEW.used_role, NEW.used_model, NEW.llm_calls - OLD.llm_calls, NEW.used_priced IS 1,
    NEW.input_tokens - OLD.input_tokens, NEW.cached_input_tokens - OLD.cached_input_tokens, NEW.output_tokens - OLD.output_tokens,
    COALESCE(NEW.cost_usd, 0) - COALESCE(OLD.cost_usd, 0));
END;

CREATE TRIGGER corpus_used AFTER UPDATE OF llm_calls, input_tokens, cost_usd ON corpora WHEN NEW.llm_calls <> OLD.llm_calls BEGIN
  INSERT INTO used
  VALUES (NEW.tenant_id, NEW.mode, '', NULL, NEW.embedding_model, NEW.llm_calls - OLD.llm_calls, NEW.cost_usd IS NOT NULL,
    NEW.input_tokens - OLD.input_tokens, 0, 0, COALESCE(NEW.cost_usd, 0) - COALESCE(OLD.cost_usd, 0));
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
    reserved_cost_usd = reserved_cost_usd - NEW.released_cost_usd,
    used_role = NEW.role, used_model = NEW.model, used_priced = NEW.cost_usd IS NOT NULL
  WHERE id = NEW.run_id;
  DELETE FROM orphans WHERE key = NEW.content_key;
  INSERT INTO new_event VALUES (NEW.run_id, 'run.artifact_created', json_object('artifact_id', NEW.id, 'kind', NEW.kind,
    'version', NEW.version, 'act', NEW.act, 'stage', NEW.stage, 'role', NEW.role, 'action', NEW.action));
END;

-- Usage from before, on the day on which its run or corpus was created.
INSERT INTO usage_days
SELECT tenant_id, mode, date(created_at / 1000, 'unixepoch'), workflow, '', '', SUM(llm_calls), SUM(iif(cost_usd IS NULL, llm_calls, 0)),
  SUM(input_tokens), SUM(cached_input_tokens), SUM(output_tokens), CAST(round(COALESCE(SUM(cost_usd), 0) * 1e12) AS INTEGER)
FROM runs WHERE llm_calls > 0 GROUP BY 1, 2, 3, 4;

INSERT INTO usage_days
SELECT tenant_id, mode, date(created_at / 1000, 'unixepoch'), '', '', COALESCE(embedding_model, ''), SUM(llm_calls),
  SUM(iif(cost_usd IS NULL, llm_calls, 0)), SUM(input_tokens), 0, 0, CAST(round(COALESCE(SUM(cost_usd), 0) * 1e12) AS INTEGER)
FROM corpora WHERE llm_calls > 0 GROUP BY 1, 2, 3, 6;
