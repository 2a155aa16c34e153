-- Quotas of tenants. Triggers count what each tenant uses in the transaction that writes, so that a count cannot drift; a statement that
-- is executed before a write checks it (quota_check). src/core/quotas.ts lists the quotas.
-- A new quota needs: a line there, triggers that write to usage_change, and its lines in the view counted_usage.

CREATE TABLE quota_usage (
  tenant_id TEXT NOT NULL,
  quota TEXT NOT NULL,
  day INTEGER NOT NULL DEFAULT 0, -- of a quota by UTC day: the day of `used`, counted from the epoch; 0: `used` is what exists
  used INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, quota)
) STRICT, WITHOUT ROWID;

-- Limits that the operator set in place of the deployment's.
CREATE TABLE quota_limits (
  tenant_id TEXT NOT NULL,
  quota TEXT NOT NULL,
  most INTEGER NOT NULL CHECK (most >= 0),
  PRIMARY KEY (tenant_id, quota)
) STRICT, WITHOUT ROWID;

-- The one door to counts of what exists.
CREATE VIEW usage_change AS SELECT tenant_id, quota, used AS change FROM quota_usage;

CREATE TRIGGER usage_changed INSTEAD OF INSERT ON usage_change WHEN NEW.change <> 0 BEGIN
  INSERT INTO quota_usage (tenant_id, quota, used) VALUES (NEW.tenant_id, NEW.quota, NEW.change)
  ON CONFLICT (tenant_id, quota) DO UPDATE SET used = used + excluded.used;
END;

-- Fails the transaction when `adds` more would exceed the tenant's limit; `most` is the deployment's, `day` as above.
CREATE VIEW quota_check AS SELECT tenant_id, quota, day, used AS adds, used AS most FROM quota_usage;

CREATE TRIGGER quota_checked INSTEAD OF INSERT ON quota_check
WHEN NEW.adds + COALESCE((SELECT used FROM quota_usage WHERE tenant_id = NEW.tenant_id AND quota = NEW.quota AND day = NEW.day), 0)
  > COALESCE((SELECT most FROM quota_limits WHERE tenant_id = NEW.tenant_id AND quota = NEW.quota), NEW.most)
BEGIN
  SELECT RAISE(ABORT, 'quota_exceeded');
END;

-- Runs: a run counts its own texts, and 1,000 bytes and the content of each artifact, interaction and pause.

ALTER TABLE runs ADD COLUMN stored_bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN options_key TEXT; -- large options stand in R2; `options` is then empty
ALTER TABLE runs ADD COLUMN asks_about TEXT; -- JSON: kinds about which it may ask a person; NULL in runs from before this column

UPDATE runs SET stored_bytes = 1000 + COALESCE(length(CAST(input AS BLOB)), 0) + length(CAST(options AS BLOB))
  + length(CAST(metadata AS BLOB)) + COALESCE(length(CAST(test AS BLOB)), 0) + COALESCE(length(CAST(output AS BLOB)), 0) + pauses * 1000
  + (SELECT COALESCE(SUM(size + 1000), 0) FROM artifacts WHERE run_id = runs.id)
  + (SELECT COALESCE(SUM(1000 + length(CAST(prompt AS BLOB)) + length(CAST(questions AS BLOB)) + length(CAST(answer_schema AS BLOB))
      + COALESCE(length(CAST(answer AS BLOB)), 0)), 0) FROM interactions WHERE run_id = runs.id);

CREATE TRIGGER run_counted AFTER INSERT ON runs BEGIN
  INSERT INTO usage_change VALUES (NEW.tenant_id, 'stored_bytes', NEW.stored_bytes);
  INSERT INTO usage_change VALUES (NEW.tenant_id, 'queued_runs', NEW.phase = 'queued' AND NEW.queued_at IS NOT NULL);
END;

CREATE TRIGGER run_bytes_counted AFTER UPDATE OF stored_bytes ON runs BEGIN
  INSERT INTO usage_change VALUES (NEW.tenant_id, 'stored_bytes', NEW.stored_bytes - OLD.stored_bytes);
END;

CREATE TRIGGER run_queue_counted AFTER UPDATE OF phase, queued_at ON runs BEGIN
  INSERT INTO usage_change VALUES (NEW.tenant_id, 'queued_runs',
    (NEW.phase = 'queued' AND NEW.queued_at IS NOT NULL) - (OLD.phase = 'queued' AND OLD.queued_at IS NOT NULL));
END;

CREATE TRIGGER run_uncounted AFTER DELETE ON runs BEGIN
  INSERT INTO usage_change VALUES (OLD.tenant_id, 'stored_bytes', -OLD.stored_bytes);
  INSERT INTO usage_change VALUES (OLD.tenant_id, 'queued_runs', -(OLD.phase = 'queued' AND OLD.queued_at IS NOT NULL));
END;

CREATE TRIGGER artifact_counted AFTER INSERT ON artifacts BEGIN
  UPDATE runs SET stored_bytes = stored_bytes + 1000 + NEW.size WHERE id = NEW.run_id;
END;

CREATE TRIGGER interaction_counted AFTER INSERT ON interactions BEGIN
  UPDATE runs SET stored_bytes = stored_bytes + 1000 + length(CAST(NEW.prompt AS BLOB)) + length(CAST(NEW.questions AS BLOB))
    + length(CAST(NEW.answer_schema AS BLOB)) WHERE id = NEW.run_id;
END;

CREATE TRIGGER answer_counted AFTER UPDATE OF answer ON interactions WHEN NEW.answer IS NOT OLD.answer BEGIN
  UPDATE runs SET stored_bytes = stored_bytes + COALESCE(length(CAST(NEW.answer AS BLOB)), 0) - COALESCE(length(CAST(OLD.answer AS BLOB)), 0)
  WHERE id = NEW.run_id;
END;

CREATE TRIGGER output_counted AFTER UPDATE OF output ON runs WHEN NEW.output IS NOT OLD.output BEGIN
  UPDATE runs SET stored_bytes = stored_bytes + COALESCE(length(CAST(NEW.output AS BLOB)), 0) - COALESCE(length(CAST(OLD.output AS BLOB)), 0)
  WHERE id = NEW.id;
END;

CREATE TRIGGER pause_counted AFTER UPDATE OF pauses ON runs WHEN NEW.pauses > OLD.pauses BEGIN
  UPDATE runs SET stored_bytes = stored_bytes + 1000 * (NEW.pauses - OLD.pauses) WHERE id = NEW.id;
END;

-- Executions of programs that ended this day.
CREATE TRIGGER execution_counted AFTER INSERT ON artifacts WHEN NEW.kind = 'execution_log' BEGIN
  INSERT INTO quota_usage (tenant_id, quota, day, used)
  SELECT tenant_id, 'sandbox_executions', NEW.created_at / 86400000, 1 FROM runs WHERE id = NEW.run_id
  ON CONFLICT (tenant_id, quota) DO UPDATE SET used = iif(day = excluded.day, used + 1, 1), day = excluded.day;
END;

-- Corpora. Bytes of documents include those of their passages, which the stores of documents and passages keep. Of the evidence of runs
-- only the bytes count.

CREATE TRIGGER corpus_counted AFTER INSERT ON corpora BEGIN
  INSERT INTO usage_change VALUES (NEW.tenant_id, 'corpora', 1);
END;

CREATE TRIGGER corpus_uncounted AFTER DELETE ON corpora BEGIN
  INSERT INTO usage_change VALUES (OLD.tenant_id, 'corpora', -1);
END;

ALTER TABLE documents ADD COLUMN stored_bytes INTEGER NOT NULL DEFAULT 0;

UPDATE documents SET stored_bytes = 1000 + size + length(CAST(metadata AS BLOB))
  + (SELECT COALESCE(SUM(500 + 2 * length(CAST(text AS BLOB)) + COALESCE(length(vector), 0) + COALESCE(length(signs), 0)), 0)
     FROM passages WHERE document_id = documents.id);

CREATE TRIGGER document_counted AFTER INSERT ON documents BEGIN
  INSERT INTO usage_change SELECT tenant_id, 'stored_bytes', NEW.stored_bytes FROM pools WHERE number = NEW.pool;
  INSERT INTO usage_change SELECT tenant_id, 'documents', 1 FROM pools WHERE number = NEW.pool AND substr(id, 1, 4) = 'cor_';
END;

CREATE TRIGGER document_bytes_counted AFTER UPDATE OF stored_bytes ON documents BEGIN
  INSERT INTO usage_change SELECT tenant_id, 'stored_bytes', NEW.stored_bytes - OLD.stored_bytes FROM pools WHERE number = NEW.pool;
END;

CREATE TRIGGER passages_counted AFTER UPDATE OF passages ON documents BEGIN
  INSERT INTO usage_change SELECT tenant_id, 'passages', NEW.passages - OLD.passages FROM pools
  WHERE number = NEW.pool AND substr(id, 1, 4) = 'cor_';
END;

CREATE TRIGGER document_uncounted AFTER DELETE ON documents BEGIN
  INSERT INTO usage_change SELECT tenant_id, 'stored_bytes', -OLD.stored_bytes FROM pools WHERE number = OLD.pool;
  INSERT INTO usage_change SELECT tenant_id, 'documents', -1 FROM pools WHERE number = OLD.pool AND substr(id, 1, 4) = 'cor_';
  INSERT INTO usage_change SELECT tenant_id, 'passages', -OLD.passages FROM pools WHERE number = OLD.pool AND substr(id, 1, 4) = 'cor_';
END;

-- The lines of an upload are stored until they are read.
CREATE TRIGGER upload_counted AFTER INSERT ON uploads BEGIN
  INSERT INTO usage_change VALUES (NEW.tenant_id, 'stored_bytes', 1000 + length(CAST(NEW.faults AS BLOB)) + iif(NEW.read_at IS NULL, NEW.size, 0));
END;

CREATE TRIGGER upload_bytes_counted AFTER UPDATE OF faults, read_at ON uploads BEGIN
  INSERT INTO usage_change VALUES (NEW.tenant_id, 'stored_bytes', length(CAST(NEW.faults AS BLOB)) - length(CAST(OLD.faults AS BLOB))
    + iif(NEW.read_at IS NULL, NEW.size, 0) - iif(OLD.read_at IS NULL, OLD.size, 0));
END;

CREATE TRIGGER upload_uncounted AFTER DELETE ON uploads BEGIN
  INSERT INTO usage_change VALUES (OLD.tenant_id, 'stored_bytes',
    -1000 - length(CAST(OLD.faults AS BLOB)) - iif(OLD.read_at IS NULL, OLD.size, 0));
END;

-- Agents count their bytes; their number has a limit of its own.
CREATE TRIGGER agent_counted AFTER INSERT ON agents BEGIN
  INSERT INTO usage_change VALUES (NEW.tenant_id, 'stored_bytes', 1000 + length(CAST(NEW.instructions AS BLOB)) + length(CAST(NEW.mcp_servers AS BLOB)));
END;

CREATE TRIGGER agent_bytes_counted AFTER UPDATE OF instructions, mcp_servers ON agents BEGIN
  INSERT INTO usage_change VALUES (NEW.tenant_id, 'stored_bytes',
    length(CAST(NEW.instructions AS BLOB)) + length(CAST(NEW.mcp_servers AS BLOB))
    - length(CAST(OLD.instructions AS BLOB)) - length(CAST(OLD.mcp_servers AS BLOB)));
END;

CREATE TRIGGER agent_uncounted AFTER DELETE ON agents BEGIN
  INSERT INTO usage_change VALUES (OLD.tenant_id, 'stored_bytes', -1000 - length(CAST(OLD.instructions AS BLOB)) - length(CAST(OLD.mcp_servers AS BLOB)));
END;

-- Keys that are not revoked and have not expired; others keep their rows. Expired ones are uncounted when the next key is made.
ALTER TABLE keys ADD COLUMN counted INTEGER NOT NULL DEFAULT 1; -- 0: it has expired

CREATE TRIGGER key_counted AFTER INSERT ON keys BEGIN
  INSERT INTO usage_change VALUES (NEW.tenant_id, 'keys', NEW.revoked_at IS NULL AND NEW.counted);
  INSERT INTO usage_change VALUES (NEW.tenant_id, 'stored_bytes', 500);
END;

CREATE TRIGGER key_end_counted AFTER UPDATE OF revoked_at, counted ON keys BEGIN
  INSERT INTO usage_change VALUES (NEW.tenant_id, 'keys',
    (NEW.revoked_at IS NULL AND NEW.counted) - (OLD.revoked_at IS NULL AND OLD.counted));
END;

CREATE TRIGGER key_uncounted AFTER DELETE ON keys BEGIN
  INSERT INTO usage_change VALUES (OLD.tenant_id, 'keys', -(OLD.revoked_at IS NULL AND OLD.counted));
  INSERT INTO usage_change VALUES (OLD.tenant_id, 'stored_bytes', -500);
END;

-- Streams that are open, by their leases.
CREATE TRIGGER stream_counted AFTER INSERT ON stream_leases BEGIN
  INSERT INTO usage_change VALUES (NEW.tenant_id, 'streams', 1);
END;

CREATE TRIGGER stream_uncounted AFTER DELETE ON stream_leases BEGIN
  INSERT INTO usage_change VALUES (OLD.tenant_id, 'streams', -1);
END;

-- Endpoints of the whole tenant; a run's own goes with the run. Messages (pings) and attempts count their bytes.
CREATE TRIGGER endpoint_counted AFTER INSERT ON webhook_endpoints BEGIN
  INSERT INTO usage_change VALUES (NEW.tenant_id, 'webhook_endpoints', NEW.run_id IS NULL);
END;

CREATE TRIGGER endpoint_uncounted AFTER DELETE ON webhook_endpoints BEGIN
  INSERT INTO usage_change VALUES (OLD.tenant_id, 'webhook_endpoints', -(OLD.run_id IS NULL));
END;

CREATE TRIGGER message_counted AFTER INSERT ON webhook_messages BEGIN
  INSERT INTO usage_change VALUES (NEW.tenant_id, 'stored_bytes', 1000);
END;

CREATE TRIGGER message_uncounted AFTER DELETE ON webhook_messages BEGIN
  INSERT INTO usage_change VALUES (OLD.tenant_id, 'stored_bytes', -1000);
END;

CREATE TRIGGER attempt_counted AFTER INSERT ON delivery_attempts BEGIN
  INSERT INTO usage_change SELECT tenant_id, 'stored_bytes', 2000 FROM deliveries WHERE id = NEW.delivery_id;
END;

CREATE TRIGGER attempt_uncounted AFTER DELETE ON delivery_attempts BEGIN
  INSERT INTO usage_change SELECT tenant_id, 'stored_bytes', -2000 FROM deliveries WHERE id = OLD.delivery_id;
END;

-- Idempotency keys of tenants (scope: <tenant>/<mode>); those of callbacks belong to interactions and are kept only for what they wrote.
ALTER TABLE idempotency_keys ADD COLUMN body_size INTEGER NOT NULL DEFAULT 0; -- bytes

CREATE TRIGGER idempotency_key_counted AFTER INSERT ON idempotency_keys BEGIN
  INSERT INTO usage_change SELECT id, 'idempotency_keys', 1 FROM tenants WHERE id = substr(NEW.scope, 1, instr(NEW.scope, '/') - 1);
  INSERT INTO usage_change SELECT id, 'stored_bytes', 1000 + NEW.body_size FROM tenants WHERE id = substr(NEW.scope, 1, instr(NEW.scope, '/') - 1);
END;

CREATE TRIGGER idempotency_body_counted AFTER UPDATE OF body_size ON idempotency_keys BEGIN
  INSERT INTO usage_change SELECT id, 'stored_bytes', NEW.body_size - OLD.body_size FROM tenants WHERE id = substr(NEW.scope, 1, instr(NEW.scope, '/') - 1);
END;

CREATE TRIGGER idempotency_key_uncounted AFTER DELETE ON idempotency_keys BEGIN
  INSERT INTO usage_change SELECT id, 'idempotency_keys', -1 FROM tenants WHERE id = substr(OLD.scope, 1, instr(OLD.scope, '/') - 1);
  INSERT INTO usage_change SELECT id, 'stored_bytes', -1000 - OLD.body_size FROM tenants WHERE id = substr(OLD.scope, 1, instr(OLD.scope, '/') - 1);
END;

-- What the counts must be, counted from the rows: for the operator's recount, and for databases from before the counts.
CREATE VIEW counted_usage AS
SELECT tenants.id AS tenant_id, names.value AS quota, CASE names.value
  WHEN 'stored_bytes' THEN
    (SELECT COALESCE(SUM(stored_bytes), 0) FROM runs WHERE tenant_id = tenants.id)
    + (SELECT COALESCE(SUM(d.stored_bytes), 0) FROM pools p JOIN documents d ON d.pool = p.number WHERE p.tenant_id = tenants.id)
    + (SELECT COALESCE(SUM(1000 + length(CAST(faults AS BLOB)) + iif(read_at IS NULL, size, 0)), 0) FROM uploads WHERE tenant_id = tenants.id)
    + (SELECT COALESCE(SUM(1000 + length(CAST(instructions AS BLOB)) + length(CAST(mcp_servers AS BLOB))), 0) FROM agents
       WHERE tenant_id = tenants.id)
    + (SELECT 500 * COUNT(*) FROM keys WHERE tenant_id = tenants.id)
    + (SELECT 1000 * COUNT(*) FROM webhook_messages WHERE tenant_id = tenants.id)
    + (SELECT 2000 * COUNT(*) FROM webhook_endpoints e JOIN deliveries d ON d.endpoint_id = e.id
       JOIN delivery_attempts a ON a.delivery_id = d.id WHERE e.tenant_id = tenants.id)
    + (SELECT COALESCE(SUM(1000 + body_size), 0) FROM idempotency_keys WHERE scope IN (tenants.id || '/live', tenants.id || '/test'))
  WHEN 'queued_runs' THEN (SELECT COUNT(*) FROM runs WHERE tenant_id = tenants.id AND phase = 'queued' AND queued_at IS NOT NULL)
  WHEN 'corpora' THEN (SELECT COUNT(*) FROM corpora WHERE tenant_id = tenants.id)
  WHEN 'documents' THEN
    (SELECT COUNT(*) FROM pools p JOIN documents d ON d.pool = p.number WHERE p.tenant_id = tenants.id AND substr(p.id, 1, 4) = 'cor_')
  WHEN 'passages' THEN
    (SELECT COALESCE(SUM(d.passages), 0) FROM pools p JOIN documents d ON d.pool = p.number
     WHERE p.tenant_id = tenants.id AND substr(p.id, 1, 4) = 'cor_')
  WHEN 'keys' THEN (SELECT COUNT(*) FROM keys WHERE tenant_id = tenants.id AND revoked_at IS NULL AND counted)
  WHEN 'webhook_endpoints' THEN (SELECT COUNT(*) FROM webhook_endpoints WHERE tenant_id = tenants.id AND run_id IS NULL)
  WHEN 'streams' THEN (SELECT COUNT(*) FROM stream_leases WHERE tenant_id = tenants.id)
  WHEN 'idempotency_keys' THEN (SELECT COUNT(*) FROM idempotency_keys WHERE scope IN (tenants.id || '/live', tenants.id || '/test'))
END AS used
FROM tenants CROSS JOIN json_each(
  '["stored_bytes","queued_runs","corpora","documents","passages","keys","webhook_endpoints","streams","idempotency_keys"]') names;

INSERT INTO quota_usage (tenant_id, quota, used) SELECT tenant_id, quota, used FROM counted_usage;
