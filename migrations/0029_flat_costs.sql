-- What grew with the number of stored runs: metrics, lists by metadata and of open questions, and the search for objects that no row refers to.

CREATE INDEX interactions_by_status ON interactions (tenant_id, mode, status, id);
CREATE INDEX artifacts_content ON artifacts (content_key) WHERE content_key IS NOT NULL;

-- Runs that have not ended, which metrics count anew; those that have ended are counted here.
CREATE INDEX runs_alive_by_owner ON runs (tenant_id, mode) WHERE phase IN ('queued', 'running');

CREATE TABLE ended_runs (
  tenant_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  workflow TEXT NOT NULL,
  phase TEXT NOT NULL,
  runs INTEGER NOT NULL,
  llm_calls INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL,
  cached_input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  priced INTEGER NOT NULL, -- runs whose cost is known
  picodollars INTEGER NOT NULL, -- what these cost; sums of fractions would drift
  PRIMARY KEY (tenant_id, mode, workflow, phase)
) STRICT, WITHOUT ROWID;

-- The one door to these counts: adds `runs` (1 or -1) times what a run used.
CREATE VIEW ended_run AS
SELECT tenant_id, mode, workflow, phase, runs, llm_calls, input_tokens, cached_input_tokens, output_tokens, 0.0 AS cost_usd FROM ended_runs;

CREATE TRIGGER ended_run_counted INSTEAD OF INSERT ON ended_run BEGIN
  INSERT INTO ended_runs
  VALUES (NEW.tenant_id, NEW.mode, NEW.workflow, NEW.phase, NEW.runs, NEW.runs * NEW.llm_calls, NEW.runs * NEW.input_tokens,
    NEW.runs * NEW.cached_input_tokens, NEW.runs * NEW.output_tokens, NEW.runs * (NEW.cost_usd IS NOT NULL),
    NEW.runs * CAST(round(COALESCE(NEW.cost_usd, 0) * 1e12) AS INTEGER))
  ON CONFLICT DO UPDATE SET
    runs = runs + excluded.runs, llm_calls = llm_calls + excluded.llm_calls, input_tokens = input_tokens + excluded.input_tokens,
    cached_input_tokens = cached_input_tokens + excluded.cached_input_tokens, output_tokens = output_tokens + excluded.output_tokens,
    priced = priced + excluded.priced, picodollars = picodollars + excluded.picodollars;
END;

-- A run is counted when it ends, and no more once it is retried or deleted. What it has used changes only while it has not ended.
CREATE TRIGGER run_end_counted AFTER UPDATE OF phase ON runs WHEN OLD.phase <> NEW.phase BEGIN
  INSERT INTO ended_run
  SELECT OLD.tenant_id, OLD.mode, OLD.workflow, OLD.phase, -1, OLD.llm_calls, OLD.input_tokens, OLD.cached_input_tokens, OLD.output_tokens,
    OLD.cost_usd
  WHERE OLD.phase IN ('completed', 'failed', 'canceled');
  INSERT INTO ended_run
  SELECT NEW.tenant_id, NEW.mode, NEW.workflow, NEW.phase, 1, NEW.llm_calls, NEW.input_tokens, NEW.cached_input_tokens, NEW.output_tokens,
    NEW.cost_usd
  WHERE NEW.phase IN ('completed', 'failed', 'canceled');
END;

CREATE TRIGGER run_end_uncounted AFTER DELETE ON runs WHEN OLD.phase IN ('completed', 'failed', 'canceled') BEGIN
  INSERT INTO ended_run
  VALUES (OLD.tenant_id, OLD.mode, OLD.workflow, OLD.phase, -1, OLD.llm_calls, OLD.input_tokens, OLD.cached_input_tokens, OLD.output_tokens,
    OLD.cost_usd);
END;

INSERT INTO ended_runs
SELECT tenant_id, mode, workflow, phase, COUNT(*), SUM(llm_calls), SUM(input_tokens), SUM(cached_input_tokens), SUM(output_tokens),
  COUNT(cost_usd), CAST(round(COALESCE(SUM(cost_usd), 0) * 1e12) AS INTEGER)
FROM runs WHERE phase IN ('completed', 'failed', 'canceled') GROUP BY tenant_id, mode, workflow, phase;

-- Runs by their metadata, for lists of runs that requests started.
CREATE TABLE run_metadata (
  tenant_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  run_id TEXT NOT NULL,
  PRIMARY KEY (tenant_id, mode, key, value, run_id)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER run_metadata_added AFTER INSERT ON runs WHEN NEW.parent_id IS NULL AND NEW.metadata <> '{}' BEGIN
  INSERT INTO run_metadata SELECT NEW.tenant_id, NEW.mode, key, value, NEW.id FROM json_each(NEW.metadata);
END;

CREATE TRIGGER run_metadata_removed AFTER DELETE ON runs WHEN OLD.parent_id IS NULL AND OLD.metadata <> '{}' BEGIN
  DELETE FROM run_metadata WHERE (tenant_id, mode, key, value, run_id) IN (
    SELECT OLD.tenant_id, OLD.mode, key, value, OLD.id FROM json_each(OLD.metadata));
END;

INSERT INTO run_metadata
SELECT tenant_id, mode, key, value, runs.id FROM runs, json_each(runs.metadata) WHERE parent_id IS NULL;
