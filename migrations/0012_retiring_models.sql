-- Warnings that a model will be shut down, each sent once to a tenant that names the model.
CREATE TABLE retirement_warnings (
  tenant_id TEXT NOT NULL,
  model TEXT NOT NULL, -- <provider>/<model>
  shutdown_date TEXT NOT NULL, -- YYYY-MM-DD; a later date is a new reason to warn
  days INTEGER NOT NULL, -- before the shutdown: 60, 30 or 7
  data TEXT NOT NULL, -- JSON: what the message says
  PRIMARY KEY (tenant_id, model, shutdown_date, days)
) STRICT, WITHOUT ROWID;

-- A trigger, so that a warning and its message are stored together, and a repeated one writes neither.
CREATE TRIGGER retirement_warned AFTER INSERT ON retirement_warnings BEGIN
  INSERT INTO webhook_messages (tenant_id, mode, type, data) VALUES (NEW.tenant_id, 'live', 'model.retiring', NEW.data);
END;
