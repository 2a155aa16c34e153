-- What tenants use, and their limits: quotas, usage by day, budgets, counts of ended runs. Triggers of other tables call the views here like
-- procedures: each has one INSTEAD OF INSERT trigger. Counting is done by triggers, so that a count changes in the transaction of the rows that
-- it counts and cannot drift from them.

-- Quotas. src/core/quotas.ts lists them. A new quota needs a line there, triggers that insert into usage_change, and its lines in the view
-- counted_usage. A statement before a write checks it (quota_check).
CREATE TABLE quota_usage (
  tenant_id TEXT NOT NULL, quota TEXT NOT NULL,
  day INTEGER NOT NULL DEFAULT 0, -- of a quota by UTC day: the day of `used`, counted from the epoch; 0: `used` is what exists
  used INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, quota)
) STRICT, WITHOUT ROWID;

-- Limits that the operator has set instead of the deployment's.
CREATE TABLE quota_limits (
  tenant_id TEXT NOT NULL, quota TEXT NOT NULL,
  most INTEGER NOT NULL CHECK (most >= 0),
  PRIMARY KEY (tenant_id, quota)
) STRICT, WITHOUT ROWID;

-- Adds to a count of what exists.
CREATE VIEW usage_change AS SELECT tenant_id, quota, used AS change FROM quota_usage;

CREATE TRIGGER usage_changed INSTEAD OF INSERT ON usage_change WHEN NEW.change <> 0 BEGIN
  INSERT INTO quota_usage (tenant_id, quota, used) VALUES (NEW.tenant_id, NEW.quota, NEW.change)
  ON CONFLICT (tenant_id, quota) DO UPDATE SET used = used + excluded.used;
END;

-- Fails the transaction when `adds` more would exceed the tenant's limit. `most` is the deployment's limit, `day` as in quota_usage.
CREATE VIEW quota_check AS SELECT tenant_id, quota, day, used AS adds, used AS most FROM quota_usage;

CREATE TRIGGER quota_checked INSTEAD OF INSERT ON quota_check
WHEN NEW.adds + COALESCE((SELECT used FROM quota_usage WHERE tenant_id = NEW.tenant_id AND quota = NEW.quota AND day = NEW.day), 0)
  > COALESCE((SELECT most FROM quota_limits WHERE tenant_id = NEW.tenant_id AND quota = NEW.quota), NEW.most)
BEGIN
  SELECT RAISE(ABORT, 'quota_exceeded');
END;

-- What the counts must be, computed from the rows: for the operator's `recount`, and for the test that counts do not drift.
CREATE VIEW counted_usage AS
SELECT tenants.id AS tenant_id, names.value AS quota, CASE names.value
  WHEN 'stored_bytes' THEN
    (SELECT COALESCE(SUM(stored_bytes), 0) FROM runs WHERE tenant_id = tenants.id)
    + (SELECT COALESCE(SUM(d.stored_bytes), 0) FROM pools p JOIN documents d ON d.pool = p.number WHERE p.tenant_id = tenants.id)
    + (SELECT COALESCE(SUM(1000 + length(CAST(errors AS BLOB)) + iif(read_at IS NULL, size, 0)), 0) FROM uploads WHERE tenant_id = tenants.id)
    + (SELECT COALESCE(SUM(1000 + length(CAST(instructions AS BLOB)) + length(CAST(mcp_servers AS BLOB))), 0) FROM agents
       WHERE tenant_id = tenants.id)
    + (SELECT 500 * COUNT(*) FROM keys WHERE tenant_id = tenants.id)
    + (SELECT 1000 * COUNT(*) FROM webhook_messages WHERE tenant_id = tenants.id)
    + (SELECT 2000 * COUNT(*) FROM webhook_endpoints e JOIN deliveries d ON d.endpoint_id = e.id
       JOIN delivery_attempts a ON a.delivery_id = d.id WHERE e.tenant_id = tenants.id)
    + (SELECT COALESCE(SUM(1000 + body_size), 0) FROM idempotency_keys WHERE scope IN (tenants.id || '/live', tenants.id || '/test'))
    + (SELECT 1000 * COUNT(*) FROM datasets WHERE tenant_id = tenants.id)
    + (SELECT COALESCE(SUM(1000 + size), 0) FROM dataset_items WHERE tenant_id = tenants.id)
  WHEN 'queued_runs' THEN
    (SELECT COUNT(*) FROM runs WHERE tenant_id = tenants.id AND phase = 'queued' AND queued_at IS NOT NULL AND parent_id IS NULL)
  WHEN 'corpora' THEN (SELECT COUNT(*) FROM corpora WHERE tenant_id = tenants.id)
  WHEN 'documents' THEN
    (SELECT COUNT(*) FROM pools p JOIN documents d ON d.pool = p.number WHERE p.tenant_id = tenants.id AND substr(p.id, 1, 4) = 'cor_')
  WHEN 'passages' THEN
    (SELECT COALESCE(SUM(d.passages), 0) FROM pools p JOIN documents d ON d.pool = p.number
     WHERE p.tenant_id = tenants.id AND substr(p.id, 1, 4) = 'cor_')
  WHEN 'templates' THEN (SELECT COUNT(*) FROM templates WHERE tenant_id = tenants.id)
  WHEN 'schedules' THEN (SELECT COUNT(*) FROM schedules WHERE tenant_id = tenants.id)
  WHEN 'datasets' THEN (SELECT COUNT(*) FROM datasets WHERE tenant_id = tenants.id)
  WHEN 'dataset_items' THEN (SELECT COUNT(*) FROM dataset_items WHERE tenant_id = tenants.id)
  WHEN 'keys' THEN (SELECT COUNT(*) FROM keys WHERE tenant_id = tenants.id AND revoked_at IS NULL AND counted)
  WHEN 'webhook_endpoints' THEN (SELECT COUNT(*) FROM webhook_endpoints WHERE tenant_id = tenants.id AND run_id IS NULL)
  WHEN 'streams' THEN (SELECT COUNT(*) FROM stream_leases WHERE tenant_id = tenants.id)
  WHEN 'idempotency_keys' THEN (SELECT COUNT(*) FROM idempotency_keys WHERE scope IN (tenants.id || '/live', tenants.id || '/test'))
END AS used
FROM tenants CROSS JOIN json_each(
  '["stored_bytes","queued_runs","corpora","documents","passages","templates","schedules","datasets","dataset_items","keys","webhook_endpoints","streams","idempotency_keys"]') names;

-- What runs and corpora used, by UTC day, workflow, role and model. It stays when a run is deleted: the money is spent.
CREATE TABLE usage_days (
  tenant_id TEXT NOT NULL, mode TEXT NOT NULL,
  day TEXT NOT NULL, -- YYYY-MM-DD
  workflow TEXT NOT NULL, -- '': a corpus
  role TEXT NOT NULL, -- '': none, or unknown
  model TEXT NOT NULL, -- '': unknown
  llm_calls INTEGER NOT NULL,
  unpriced_calls INTEGER NOT NULL, -- calls whose cost is not known
  input_tokens INTEGER NOT NULL, cached_input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL,
  picodollars INTEGER NOT NULL, -- sums of fractions would drift
  PRIMARY KEY (tenant_id, mode, day, workflow, role, model)
) STRICT, WITHOUT ROWID;

-- Adds usage to the present day.
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

-- A tenant's budget for a calendar month (UTC) of live mode. The trigger budget_refuses (0003) refuses runs when it is spent.
CREATE TABLE budgets (
  tenant_id TEXT PRIMARY KEY,
  picodollars INTEGER NOT NULL,
  at_limit TEXT NOT NULL CHECK (at_limit IN ('refuse', 'alarm')),
  month TEXT NOT NULL, -- YYYY-MM of `spent`
  spent INTEGER NOT NULL, -- picodollars
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE budget_alarms (
  tenant_id TEXT NOT NULL, month TEXT NOT NULL, percent INTEGER NOT NULL,
  created_at INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)),
  PRIMARY KEY (tenant_id, month, percent)
) STRICT, WITHOUT ROWID;

-- Adds to what is spent of a budget; a new month starts at 0.
CREATE VIEW spending AS SELECT tenant_id, 0.0 AS cost_usd FROM budgets;

CREATE TRIGGER spent INSTEAD OF INSERT ON spending WHEN NEW.cost_usd <> 0 BEGIN
  UPDATE budgets SET spent = iif(month = strftime('%Y-%m', 'now'), spent, 0) + CAST(round(NEW.cost_usd * 1e12) AS INTEGER),
    month = strftime('%Y-%m', 'now')
  WHERE tenant_id = NEW.tenant_id;
END;

-- Raises each alarm once a month, when spending or a smaller budget reaches it. Not with OR IGNORE: the conflict policy of the statement that
-- causes a trigger replaces the trigger's own.
CREATE VIEW reached_budget AS SELECT tenant_id FROM budgets;

CREATE TRIGGER budget_reached INSTEAD OF INSERT ON reached_budget BEGIN
  INSERT INTO budget_alarms (tenant_id, month, percent)
  SELECT tenant_id, month, value FROM budgets JOIN json_each('[50, 80, 100]')
  WHERE tenant_id = NEW.tenant_id AND month = strftime('%Y-%m', 'now') AND spent * 1.0 >= picodollars * (value / 100.0)
    AND NOT EXISTS (SELECT 1 FROM budget_alarms a WHERE a.tenant_id = budgets.tenant_id AND a.month = budgets.month AND a.percent = value)
  ORDER BY value;
END;

CREATE TRIGGER budget_set AFTER INSERT ON budgets BEGIN INSERT INTO reached_budget VALUES (NEW.tenant_id); END;
CREATE TRIGGER budget_changed AFTER UPDATE ON budgets BEGIN INSERT INTO reached_budget VALUES (NEW.tenant_id); END;

CREATE TRIGGER budget_alarmed AFTER INSERT ON budget_alarms BEGIN
  INSERT INTO webhook_messages (tenant_id, mode, type, data)
  SELECT tenant_id, 'live', 'budget.reached', json_object('month', month, 'percent', NEW.percent, 'budget_usd', picodollars / 1e12,
    'spent_usd', spent / 1e12, 'at_limit', at_limit)
  FROM budgets WHERE tenant_id = NEW.tenant_id;
END;

-- Ended runs, for metrics: their cost must not grow with the number of runs. Those that have not ended are few and counted when asked.
CREATE TABLE ended_runs (
  tenant_id TEXT NOT NULL, mode TEXT NOT NULL, workflow TEXT NOT NULL, phase TEXT NOT NULL, runs INTEGER NOT NULL,
  llm_calls INTEGER NOT NULL, input_tokens INTEGER NOT NULL, cached_input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL,
  priced INTEGER NOT NULL, -- runs whose cost is known
  picodollars INTEGER NOT NULL, -- cost of these
  PRIMARY KEY (tenant_id, mode, workflow, phase)
) STRICT, WITHOUT ROWID;

-- Adds `runs` (1 or -1) times what a run used.
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
