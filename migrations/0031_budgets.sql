-- A tenant's budget for a calendar month (UTC) of live mode. What is spent is counted in the transaction that spends it.
CREATE TABLE budgets (
  tenant_id TEXT PRIMARY KEY,
  picodollars INTEGER NOT NULL,
  at_limit TEXT NOT NULL CHECK (at_limit IN ('refuse', 'alarm')),
  month TEXT NOT NULL, -- YYYY-MM of `spent`
  spent INTEGER NOT NULL, -- picodollars
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE budget_alarms (
  tenant_id TEXT NOT NULL,
  month TEXT NOT NULL,
  percent INTEGER NOT NULL,
  created_at INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)),
  PRIMARY KEY (tenant_id, month, percent)
) STRICT, WITHOUT ROWID;

CREATE VIEW spending AS SELECT tenant_id, 0.0 AS cost_usd FROM budgets;
CREATE TRIGGER spent INSTEAD OF INSERT ON spending WHEN NEW.cost_usd <> 0 BEGIN
  UPDATE budgets SET spent = iif(month = strftime('%Y-%m', 'now'), spent, 0) + CAST(round(NEW.cost_usd * 1e12) AS INTEGER),
    month = strftime('%Y-%m', 'now')
  WHERE tenant_id = NEW.tenant_id;
END;

CREATE TRIGGER run_spent AFTER UPDATE OF cost_usd ON runs WHEN NEW.mode = 'live' AND NEW.cost_usd IS NOT OLD.cost_usd BEGIN
  INSERT INTO spending VALUES (NEW.tenant_id, COALESCE(NEW.cost_usd, 0) - COALESCE(OLD.cost_usd, 0));
END;
CREATE TRIGGER corpus_spent AFTER UPDATE OF cost_usd ON corpora WHEN NEW.mode = 'live' AND NEW.cost_usd IS NOT OLD.cost_usd BEGIN
  INSERT INTO spending VALUES (NEW.tenant_id, COALESCE(NEW.cost_usd, 0) - COALESCE(OLD.cost_usd, 0));
END;

-- Each alarm once a month, when it is reached by spending or by a smaller budget. Not OR IGNORE: the conflict policy of the statement that
-- causes a trigger replaces the trigger's own.
CREATE VIEW reached_budget AS SELECT tenant_id FROM budgets;
CREATE TRIGGER budget_reached INSTEAD OF INSERT ON reached_budget BEGIN
  INSERT INTO budget_alarms (tenant_id, month, percent)
  SELECT tenant_id, month, value FROM budgets JOIN json_each('[50, 80, 100]')
  WHERE tenant_id = NEW.tenant_id AND month = strftime('%Y-%m', 'now') AND spent * 1.0 >= picodollars * (value / 100.0)
    AND NOT EXISTS (SELECT 1 FROM budget_alarms a WHERE a.tenant_id = budgets.tenant_id AND a.month = budgets.month AND a.percent = value)
  ORDER BY value;
END;
CREATE TRIGGER budget_set AFTER INSERT ON budgets BEGIN
  INSERT INTO reached_budget VALUES (NEW.tenant_id);
END;
CREATE TRIGGER budget_changed AFTER UPDATE ON budgets BEGIN
  INSERT INTO reached_budget VALUES (NEW.tenant_id);
END;
CREATE TRIGGER budget_alarmed AFTER INSERT ON budget_alarms BEGIN
  INSERT INTO webhook_messages (tenant_id, mode, type, data)
  SELECT tenant_id, 'live', 'budget.reached', json_object('month', month, 'percent', NEW.percent, 'budget_usd', picodollars / 1e12,
    'spent_usd', spent / 1e12, 'at_limit', at_limit)
  FROM budgets WHERE tenant_id = NEW.tenant_id;
END;

-- Children of a run that was started before go on.
CREATE TRIGGER budget_refuses BEFORE INSERT ON runs WHEN NEW.mode = 'live' AND NEW.parent_id IS NULL AND EXISTS (
  SELECT 1 FROM budgets WHERE tenant_id = NEW.tenant_id AND at_limit = 'refuse' AND month = strftime('%Y-%m', 'now') AND spent >= picodollars)
BEGIN
  SELECT RAISE(ABORT, 'budget_reached');
END;

-- A time of a schedule that starts no run, and should have.
CREATE TRIGGER occurrence_failed AFTER INSERT ON occurrences WHEN NEW.outcome = 'failed' BEGIN
  INSERT INTO webhook_messages (tenant_id, mode, type, data)
  SELECT tenant_id, mode, 'schedule.failed', json_object('schedule_id', id, 'name', name,
    'due_at', strftime('%Y-%m-%dT%H:%M:%fZ', NEW.due_at / 1000.0, 'unixepoch'), 'reason', NEW.reason)
  FROM schedules WHERE id = NEW.schedule_id;
END;
