-- A run: one durable execution of a workflow. Its triggers do what follows from a change of its row, because many change it: requests, its
-- instance, the maintenance worker, and the triggers of artifacts, interactions and children.
CREATE TABLE runs (
  id TEXT PRIMARY KEY, tenant_id TEXT NOT NULL REFERENCES tenants (id),
  workflow TEXT NOT NULL, workflow_version INTEGER NOT NULL,
  mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
  -- The request
  input TEXT, -- NULL when it is large and in R2 under input_key
  input_key TEXT,
  options TEXT NOT NULL, -- JSON; empty when they are large and in R2 under options_key
  options_key TEXT,
  models TEXT NOT NULL, -- JSON: by role
  limits TEXT NOT NULL, -- JSON
  metadata TEXT NOT NULL, -- JSON: the caller's own keys and texts
  test TEXT, -- JSON: how the mock model of test mode behaves
  origin TEXT NOT NULL, -- base of callback URLs
  title TEXT, -- of the input, for people who are asked
  excerpt TEXT NOT NULL DEFAULT '', -- of the input, for people who are asked
  requested_by TEXT, -- who requested the run, for people who are asked
  asks_about TEXT NOT NULL, -- JSON: kinds of artifacts about which it may ask a person
  -- The state
  phase TEXT NOT NULL DEFAULT 'queued' CHECK (phase IN ('queued', 'running', 'completed', 'failed', 'canceled')),
  epoch INTEGER NOT NULL DEFAULT 1, -- increased by retry and cancel; an instance of an earlier epoch writes nothing
  generation INTEGER NOT NULL DEFAULT 1,
  generations TEXT NOT NULL DEFAULT '{}', -- JSON: stage -> generation that `retry` with `from_stage` started there
  paused INTEGER NOT NULL DEFAULT 0, -- {0 | 1}
  pauses INTEGER NOT NULL DEFAULT 0, -- how often it was paused; the event resume_<pauses> ends the latest pause
  open_interactions INTEGER NOT NULL DEFAULT 0,
  status TEXT NOT NULL GENERATED ALWAYS AS ( -- {RunStatus}
    CASE WHEN phase IN ('completed', 'failed', 'canceled') THEN phase WHEN open_interactions > 0 THEN 'input_required'
      WHEN paused THEN 'paused' ELSE phase END) VIRTUAL,
  queued_at INTEGER, -- since when it waits for one of its tenant's slots; NULL once it has a slot
  stage TEXT, -- the latest that it has started
  steps_done INTEGER NOT NULL DEFAULT 0,
  output TEXT, -- JSON
  error TEXT, -- JSON
  -- What it has used, and what it has reserved for calls under way
  llm_calls INTEGER NOT NULL DEFAULT 0, input_tokens INTEGER NOT NULL DEFAULT 0, cached_input_tokens INTEGER NOT NULL DEFAULT 0,
  output_tokens INTEGER NOT NULL DEFAULT 0, cost_usd REAL, -- NULL while no price is known
  used_role TEXT, -- {sql} role of the latest usage: a statement that changes the usage sets it and the next two, and run_used reads them
  used_model TEXT, -- {sql}
  used_priced INTEGER, -- {sql} whether the cost of the latest usage is known
  reserved_calls INTEGER NOT NULL DEFAULT 0, reserved_tokens INTEGER NOT NULL DEFAULT 0, reserved_cost_usd REAL NOT NULL DEFAULT 0,
  budget_warned INTEGER NOT NULL DEFAULT 0, -- epoch in which run.budget_warning was written last
  stored_bytes INTEGER NOT NULL DEFAULT 0, -- that the tenant's quota counts: its texts, and content and 1,000 bytes for each artifact, interaction and pause
  active_ms INTEGER NOT NULL DEFAULT 0, -- time in which it waited neither for people nor for children, and was not paused
  queued_ms INTEGER NOT NULL DEFAULT 0, -- part of active_ms in which it only waited for permits of providers; no timeout counts it
  active_since INTEGER,
  -- Health
  heartbeat_at INTEGER NOT NULL,
  nudged_at INTEGER NOT NULL DEFAULT 0, stalled_at INTEGER,
  stalled_because TEXT, -- JSON: data of the event run.stalled
  last_failure TEXT, -- JSON: `LastFailure`, the latest failed attempt of a step that is retried
  outages TEXT NOT NULL DEFAULT '{}', -- JSON: <provider>/<model> -> `ProviderOutage`, of the models that do not respond at the moment
  -- Its parent and its children. A child has no children.
  parent_id TEXT, -- the run that started it; NULL: a request did
  child_group TEXT, -- step and generation of the parent that started it
  child_key TEXT, -- its name within the group
  child_retries INTEGER NOT NULL DEFAULT 0, -- {sql} how often its parent has retried it; retries by people do not count
  reuse_key TEXT, -- equal for children that can replace each other; NULL: none can replace this run
  awaits_children INTEGER NOT NULL DEFAULT 0, -- {0 | 1} 1 while its instance waits until all children have ended
  child_waits INTEGER NOT NULL DEFAULT 0, -- how often it has waited for children; the event children_<child_waits> ends the latest wait
  -- The archive
  archive_key TEXT, -- key of the object with its rows and texts; NULL: they are in D1
  archive_stages TEXT, -- JSON, of an archived run: `[stage, generation, completed][]` in the order of `StageStore.newestOfRuns`
  archive_base INTEGER, -- since when it waits to be archived; NULL: since its end
  created_at INTEGER NOT NULL, started_at INTEGER, updated_at INTEGER NOT NULL, finished_at INTEGER
) STRICT;
CREATE INDEX runs_by_owner ON runs (tenant_id, mode, id);
CREATE INDEX runs_alive ON runs (heartbeat_at) WHERE phase IN ('queued', 'running');
CREATE INDEX runs_alive_by_owner ON runs (tenant_id, mode) WHERE phase IN ('queued', 'running');
CREATE INDEX runs_ended ON runs (finished_at) WHERE phase IN ('completed', 'failed', 'canceled');
-- The queue, and the runs in a slot. A run keeps its slot from the queue to its end; while it waits for people or children, or is paused, others
-- may use the slot.
CREATE INDEX runs_waiting ON runs (tenant_id, queued_at, id) WHERE phase = 'queued' AND queued_at IS NOT NULL;
CREATE INDEX runs_in_slots ON runs (tenant_id)
WHERE phase IN ('queued', 'running') AND queued_at IS NULL AND paused = 0 AND open_interactions = 0 AND awaits_children = 0;
-- Children
CREATE UNIQUE INDEX runs_by_parent ON runs (parent_id, child_group, child_key) WHERE parent_id IS NOT NULL;
CREATE INDEX children_by_id ON runs (parent_id, id) WHERE parent_id IS NOT NULL;
CREATE INDEX children_alive ON runs (parent_id) WHERE parent_id IS NOT NULL AND phase IN ('queued', 'running');
CREATE INDEX children_waiting ON runs (parent_id, queued_at, id) WHERE parent_id IS NOT NULL AND phase = 'queued' AND queued_at IS NOT NULL AND paused = 0;
CREATE INDEX runs_awaiting_children ON runs (id) WHERE awaits_children = 1;
CREATE INDEX runs_reusable ON runs (tenant_id, mode, reuse_key, id) WHERE reuse_key IS NOT NULL AND phase = 'completed';
-- Lists of runs that requests started: children, however many there are, are not in their indexes.
CREATE INDEX started_runs ON runs (tenant_id, mode, id) WHERE parent_id IS NULL;
CREATE INDEX started_runs_by_workflow ON runs (tenant_id, mode, workflow, id) WHERE parent_id IS NULL;
CREATE INDEX started_runs_by_status ON runs (tenant_id, mode, status, id) WHERE parent_id IS NULL;
-- Ended runs by their last change. Runs that have not ended are few and are sorted when they are listed: an index over them would cost each
-- artifact another write.
CREATE INDEX started_runs_by_change ON runs (tenant_id, mode, status, updated_at, id)
WHERE parent_id IS NULL AND phase IN ('completed', 'failed', 'canceled');
-- Runs that may be archived, in the order of their turn. Children are archived with their parent.
CREATE INDEX runs_to_archive ON runs (COALESCE(archive_base, finished_at))
WHERE archive_key IS NULL AND parent_id IS NULL AND phase IN ('completed', 'failed', 'canceled');
-- Children whose archiving was postponed, or that were restored after their parent was archived.
CREATE INDEX runs_archived_late ON runs (archive_base) WHERE archive_base IS NOT NULL AND parent_id IS NOT NULL AND archive_key IS NULL;
-- Archived runs whose restore has begun and has not finished.
CREATE INDEX runs_half_restored ON runs (archive_base) WHERE archive_key IS NOT NULL AND archive_base IS NOT NULL;

-- Refuses a live run when the tenant's budget is spent. A trigger, so that it checks the budget in the transaction that stores the run.
-- Children are not refused: their parent was started before.
CREATE TRIGGER budget_refuses BEFORE INSERT ON runs WHEN NEW.mode = 'live' AND NEW.parent_id IS NULL AND EXISTS (
  SELECT 1 FROM budgets WHERE tenant_id = NEW.tenant_id AND at_limit = 'refuse' AND month = strftime('%Y-%m', 'now') AND spent >= picodollars)
BEGIN
  SELECT RAISE(ABORT, 'budget_reached');
END;

-- A new run: its event, its share of quotas, its metadata, and its place among its parent's children. The quota of queued runs does not count
-- children, because their parent bounds them.
CREATE TRIGGER run_created AFTER INSERT ON runs BEGIN
  INSERT INTO new_event VALUES (NEW.id, 'run.created', json_object('workflow', NEW.workflow, 'mode', NEW.mode));
  INSERT INTO usage_change VALUES (NEW.tenant_id, 'stored_bytes', NEW.stored_bytes);
  INSERT INTO usage_change VALUES (NEW.tenant_id, 'queued_runs', NEW.phase = 'queued' AND NEW.queued_at IS NOT NULL AND NEW.parent_id IS NULL);
  INSERT INTO run_metadata SELECT NEW.tenant_id, NEW.mode, key, value, NEW.id FROM json_each(NEW.metadata) WHERE NEW.parent_id IS NULL;
  UPDATE run_trees SET total = total + 1, waiting = waiting + 1 WHERE run_id = NEW.parent_id;
END;

-- The reverse, without an event: the event log is deleted with the run.
CREATE TRIGGER run_deleted AFTER DELETE ON runs BEGIN
  INSERT INTO usage_change VALUES (OLD.tenant_id, 'stored_bytes', -OLD.stored_bytes);
  INSERT INTO usage_change VALUES (OLD.tenant_id, 'queued_runs', -(OLD.phase = 'queued' AND OLD.queued_at IS NOT NULL AND OLD.parent_id IS NULL));
  INSERT INTO ended_run
  SELECT OLD.tenant_id, OLD.mode, OLD.workflow, OLD.phase, -1, OLD.llm_calls, OLD.input_tokens, OLD.cached_input_tokens, OLD.output_tokens, OLD.cost_usd
  WHERE OLD.phase IN ('completed', 'failed', 'canceled');
  DELETE FROM run_metadata WHERE (tenant_id, mode, key, value, run_id) IN (
    SELECT OLD.tenant_id, OLD.mode, key, value, OLD.id FROM json_each(OLD.metadata) WHERE OLD.parent_id IS NULL);
END;

-- A new phase: its event, a note for telemetry when the run has ended (it ends again after a retry), and the counts of ended runs. What a run has
-- used changes only while it has not ended, so the count can be reversed.
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
  SELECT OLD.tenant_id, OLD.mode, OLD.workflow, OLD.phase, -1, OLD.llm_calls, OLD.input_tokens, OLD.cached_input_tokens, OLD.output_tokens, OLD.cost_usd
  WHERE OLD.phase IN ('completed', 'failed', 'canceled');
  INSERT INTO ended_run
  SELECT NEW.tenant_id, NEW.mode, NEW.workflow, NEW.phase, 1, NEW.llm_calls, NEW.input_tokens, NEW.cached_input_tokens, NEW.output_tokens, NEW.cost_usd
  WHERE NEW.phase IN ('completed', 'failed', 'canceled');
END;

-- Events of a run that has not ended. Triggers, because each belongs to a state and not to the statement that reaches it.
CREATE TRIGGER run_paused AFTER UPDATE OF paused ON runs
WHEN OLD.paused <> NEW.paused AND NEW.phase IN ('queued', 'running') AND OLD.phase IN ('queued', 'running') BEGIN
  INSERT INTO new_event VALUES (NEW.id, iif(NEW.paused, 'run.paused', 'run.resumed'), '{}');
END;

CREATE TRIGGER run_budget_warned AFTER UPDATE OF budget_warned ON runs WHEN NEW.budget_warned > OLD.budget_warned BEGIN
  INSERT INTO new_event VALUES (NEW.id, 'run.budget_warning', json_object('limits', json(NEW.limits), 'usage',
    json_object('llm_calls', NEW.llm_calls, 'input_tokens', NEW.input_tokens, 'output_tokens', NEW.output_tokens, 'cost_usd', NEW.cost_usd)));
END;

CREATE TRIGGER run_stalled AFTER UPDATE OF stalled_at ON runs WHEN OLD.stalled_at IS NULL AND NEW.stalled_at IS NOT NULL BEGIN
  INSERT INTO new_event VALUES (NEW.id, 'run.stalled', NEW.stalled_because);
END;

-- The quota of stored bytes follows the run's bytes; the trigger after it adds texts that a run gets later.
CREATE TRIGGER run_bytes_counted AFTER UPDATE OF stored_bytes ON runs BEGIN
  INSERT INTO usage_change VALUES (NEW.tenant_id, 'stored_bytes', NEW.stored_bytes - OLD.stored_bytes);
END;

CREATE TRIGGER run_texts_counted AFTER UPDATE OF output, pauses ON runs WHEN NEW.output IS NOT OLD.output OR NEW.pauses > OLD.pauses BEGIN
  UPDATE runs SET stored_bytes = stored_bytes + COALESCE(length(CAST(NEW.output AS BLOB)), 0) - COALESCE(length(CAST(OLD.output AS BLOB)), 0)
    + 1000 * MAX(NEW.pauses - OLD.pauses, 0)
  WHERE id = NEW.id;
END;

-- Models that stop or start responding again are events, too.
CREATE TRIGGER run_provider_failing AFTER UPDATE OF outages ON runs WHEN OLD.outages <> NEW.outages AND NEW.phase = 'running' BEGIN
  INSERT INTO new_event SELECT NEW.id, 'run.provider_failing', value FROM json_each(NEW.outages)
  WHERE key NOT IN (SELECT key FROM json_each(OLD.outages));
  INSERT INTO new_event SELECT NEW.id, 'run.provider_recovered', json_remove(value, '$.next_attempt_at') FROM json_each(OLD.outages)
  WHERE key NOT IN (SELECT key FROM json_each(NEW.outages));
END;

-- The parent's sums (run_trees) follow the states of its children, and what they use.
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

-- Starts and stops the clock of active time.
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

-- The quota of queued runs.
CREATE TRIGGER run_queue_counted AFTER UPDATE OF phase, queued_at ON runs WHEN NEW.parent_id IS NULL BEGIN
  INSERT INTO usage_change VALUES (NEW.tenant_id, 'queued_runs',
    (NEW.phase = 'queued' AND NEW.queued_at IS NOT NULL) - (OLD.phase = 'queued' AND OLD.queued_at IS NOT NULL));
END;

-- Adds each change of a run's usage to the tenant's usage by day, and in live mode to what is spent of its budget. A trigger, so that the sums
-- equal those of the runs whichever statement adds to them.
CREATE TRIGGER run_used AFTER UPDATE OF llm_calls, input_tokens, cached_input_tokens, output_tokens, cost_usd ON runs
WHEN NEW.llm_calls <> OLD.llm_calls OR NEW.input_tokens <> OLD.input_tokens OR NEW.output_tokens <> OLD.output_tokens
  OR NEW.cost_usd IS NOT OLD.cost_usd BEGIN
  INSERT INTO used
  VALUES (NEW.tenant_id, NEW.mode, NEW.workflow, NEW.used_role, NEW.used_model, NEW.llm_calls - OLD.llm_calls, NEW.used_priced IS 1,
    NEW.input_tokens - OLD.input_tokens, NEW.cached_input_tokens - OLD.cached_input_tokens, NEW.output_tokens - OLD.output_tokens,
    COALESCE(NEW.cost_usd, 0) - COALESCE(OLD.cost_usd, 0));
  INSERT INTO spending SELECT NEW.tenant_id, COALESCE(NEW.cost_usd, 0) - COALESCE(OLD.cost_usd, 0) WHERE NEW.mode = 'live';
END;

-- One row for each stage that a run has started; its two times cause its two events.
CREATE TABLE stages (
  run_id TEXT NOT NULL, stage TEXT NOT NULL, iteration INTEGER NOT NULL, generation INTEGER NOT NULL,
  started_at INTEGER NOT NULL, completed_at INTEGER,
  PRIMARY KEY (run_id, stage, iteration, generation)
) STRICT, WITHOUT ROWID;

-- Not for rows of an archived run, which are inserted again when the run is restored.
CREATE TRIGGER stage_started AFTER INSERT ON stages
WHEN (SELECT archive_key FROM runs WHERE id = NEW.run_id) IS NULL BEGIN
  UPDATE runs SET stage = NEW.stage, heartbeat_at = NEW.started_at, stalled_at = NULL WHERE id = NEW.run_id;
  INSERT INTO new_event VALUES (NEW.run_id, 'run.stage_started', json_object('stage', NEW.stage, 'iteration', NEW.iteration));
END;

CREATE TRIGGER stage_completed AFTER UPDATE OF completed_at ON stages WHEN OLD.completed_at IS NULL AND NEW.completed_at IS NOT NULL BEGIN
  INSERT INTO new_event VALUES (NEW.run_id, 'run.stage_completed', json_object('stage', NEW.stage, 'iteration', NEW.iteration));
END;

-- Sums over the children of a run. The triggers of runs keep them (run_created, child_moved, child_used).
CREATE TABLE run_trees (
  run_id TEXT PRIMARY KEY, -- the parent
  tenant_id TEXT NOT NULL,
  slots INTEGER NOT NULL, -- how many children may be under way at once
  total INTEGER NOT NULL DEFAULT 0,
  waiting INTEGER NOT NULL DEFAULT 0, -- in the queue
  active INTEGER NOT NULL DEFAULT 0, -- in a slot
  input_required INTEGER NOT NULL DEFAULT 0, completed INTEGER NOT NULL DEFAULT 0, failed INTEGER NOT NULL DEFAULT 0,
  canceled INTEGER NOT NULL DEFAULT 0,
  llm_calls INTEGER NOT NULL DEFAULT 0, input_tokens INTEGER NOT NULL DEFAULT 0, cached_input_tokens INTEGER NOT NULL DEFAULT 0,
  output_tokens INTEGER NOT NULL DEFAULT 0, cost_usd REAL, -- NULL while no price is known
  reserved_calls INTEGER NOT NULL DEFAULT 0, reserved_tokens INTEGER NOT NULL DEFAULT 0, reserved_cost_usd REAL NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX trees_waiting ON run_trees (tenant_id) WHERE waiting > 0;

-- Parents that were removed: the maintenance worker removes their children.
CREATE TABLE removed_parents (
  id TEXT PRIMARY KEY, tenant_id TEXT NOT NULL
) STRICT;

-- Metadata of runs that requests started, for lists of runs by metadata.
CREATE TABLE run_metadata (
  tenant_id TEXT NOT NULL, mode TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, run_id TEXT NOT NULL,
  PRIMARY KEY (tenant_id, mode, key, value, run_id)
) STRICT, WITHOUT ROWID;

-- Ends of runs that telemetry has not reported yet.
CREATE TABLE run_ends (
  run_id TEXT NOT NULL,
  epoch INTEGER NOT NULL, -- the epoch that ended; a cancel has increased the run's epoch since
  tenant_id TEXT NOT NULL,
  phase TEXT NOT NULL, -- {"completed" | "failed" | "canceled"}
  ended_at INTEGER NOT NULL, due_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0, -- to export its trace
  counted INTEGER NOT NULL DEFAULT 0, -- {0 | 1} 1 once its data point is written
  PRIMARY KEY (run_id, epoch)
) STRICT, WITHOUT ROWID;
CREATE INDEX run_ends_due ON run_ends (due_at);
