-- Webhook endpoints of a whole tenant: rotated secrets, messages that tell of no run, and a log of what was sent.

ALTER TABLE webhook_endpoints ADD COLUMN description TEXT NOT NULL DEFAULT '';
ALTER TABLE webhook_endpoints ADD COLUMN previous_secret TEXT; -- sealed; signs beside the new one for a while
ALTER TABLE webhook_endpoints ADD COLUMN previous_secret_until INTEGER;
ALTER TABLE webhook_endpoints ADD COLUMN disabled_at INTEGER;
ALTER TABLE webhook_endpoints ADD COLUMN updated_at INTEGER NOT NULL DEFAULT 0;
UPDATE webhook_endpoints SET updated_at = created_at;
UPDATE webhook_endpoints SET disabled_because = 'receiver_gone', disabled_at = created_at WHERE status = 'disabled';

-- What an endpoint is told beside the events of runs.
CREATE TABLE webhook_messages (
  id TEXT PRIMARY KEY DEFAULT ( -- an id like those of events; see there
    'evt_' || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (CAST(unixepoch('subsec') * 1000 AS INTEGER) >> 45 & 31) + 1, 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (CAST(unixepoch('subsec') * 1000 AS INTEGER) >> 40 & 31) + 1, 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (CAST(unixepoch('subsec') * 1000 AS INTEGER) >> 35 & 31) + 1, 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (CAST(unixepoch('subsec') * 1000 AS INTEGER) >> 30 & 31) + 1, 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (CAST(unixepoch('subsec') * 1000 AS INTEGER) >> 25 & 31) + 1, 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (CAST(unixepoch('subsec') * 1000 AS INTEGER) >> 20 & 31) + 1, 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (CAST(unixepoch('subsec') * 1000 AS INTEGER) >> 15 & 31) + 1, 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (CAST(unixepoch('subsec') * 1000 AS INTEGER) >> 10 & 31) + 1, 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (CAST(unixepoch('subsec') * 1000 AS INTEGER) >> 5 & 31) + 1, 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (CAST(unixepoch('subsec') * 1000 AS INTEGER) & 31) + 1, 1)
    || hex(randomblob(8))
  ),
  tenant_id TEXT NOT NULL,
  endpoint_id TEXT, -- the one it is for; NULL: all of the tenant's that ask for its type
  type TEXT NOT NULL,
  data TEXT NOT NULL,
  created_at INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER))
) STRICT;

-- Deliveries, made anew: of an event or of a message, and in rounds, because a redelivery begins the retries again.
DROP TRIGGER event_deliveries;

CREATE TABLE new_deliveries (
  event_id TEXT NOT NULL, -- of an event, or of a message
  endpoint_id TEXT NOT NULL,
  tenant_id TEXT NOT NULL,
  run_id TEXT, -- NULL: of a message
  type TEXT NOT NULL,
  id TEXT NOT NULL UNIQUE,
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed')),
  attempts INTEGER NOT NULL DEFAULT 0,
  round_attempts INTEGER NOT NULL DEFAULT 0, -- of them, those since it was last asked for
  round_began_at INTEGER NOT NULL,
  next_attempt_at INTEGER, -- NULL once it is settled
  created_at INTEGER NOT NULL,
  settled_at INTEGER,
  PRIMARY KEY (event_id, endpoint_id)
) STRICT, WITHOUT ROWID;

INSERT INTO new_deliveries (event_id, endpoint_id, tenant_id, run_id, type, id, status, attempts, round_attempts, round_began_at, next_attempt_at,
  created_at, settled_at)
SELECT d.event_id, d.endpoint_id, d.tenant_id, d.run_id, e.type, d.id, d.status, d.attempts, d.attempts, d.created_at, d.next_attempt_at,
  d.created_at, d.settled_at
FROM deliveries d JOIN events e ON e.id = d.event_id;

DROP TABLE deliveries;
ALTER TABLE new_deliveries RENAME TO deliveries;

CREATE INDEX deliveries_due ON deliveries (endpoint_id, next_attempt_at) WHERE status = 'pending';
CREATE INDEX deliveries_by_run ON deliveries (run_id);
CREATE INDEX deliveries_by_endpoint ON deliveries (endpoint_id, id);

ALTER TABLE delivery_attempts ADD COLUMN url TEXT;
ALTER TABLE delivery_attempts ADD COLUMN request_headers TEXT; -- JSON

-- The chance half of the event's ULID is replaced: several endpoints may take one event. Two searches, for an OR would read every run's own
-- endpoint of the tenant.
CREATE TRIGGER event_deliveries AFTER INSERT ON events BEGIN
  INSERT INTO deliveries (event_id, endpoint_id, tenant_id, run_id, type, id, round_began_at, next_attempt_at, created_at)
  SELECT NEW.id, e.id, e.tenant_id, NEW.run_id, NEW.type, 'del_' || substr(NEW.id, 5, 10) || hex(randomblob(8)), NEW.created_at, NEW.created_at,
    NEW.created_at
  FROM webhook_endpoints e WHERE e.id IN (
      SELECT o.id FROM runs r JOIN webhook_endpoints o ON o.tenant_id = r.tenant_id AND o.run_id IS NULL WHERE r.id = NEW.run_id
      UNION ALL
      SELECT o.id FROM runs r JOIN webhook_endpoints o ON o.tenant_id = r.tenant_id AND o.run_id = NEW.run_id WHERE r.id = NEW.run_id)
    AND e.status = 'enabled' AND EXISTS (SELECT 1 FROM json_each(e.events) WHERE value = NEW.type);
END;

CREATE TRIGGER message_deliveries AFTER INSERT ON webhook_messages BEGIN
  INSERT INTO deliveries (event_id, endpoint_id, tenant_id, type, id, round_began_at, next_attempt_at, created_at)
  SELECT NEW.id, e.id, e.tenant_id, NEW.type, 'del_' || substr(NEW.id, 5, 10) || hex(randomblob(8)), NEW.created_at, NEW.created_at, NEW.created_at
  FROM webhook_endpoints e
  WHERE e.tenant_id = NEW.tenant_id AND e.status = 'enabled' AND iif(NEW.endpoint_id IS NULL,
    e.run_id IS NULL AND EXISTS (SELECT 1 FROM json_each(e.events) WHERE value = NEW.type), e.id = NEW.endpoint_id);
END;

-- What was pending for an endpoint that is taken out of service fails; when its owner did not do it, the tenant's other endpoints are told.
CREATE TRIGGER endpoint_disabled AFTER UPDATE OF status ON webhook_endpoints WHEN OLD.status = 'enabled' AND NEW.status = 'disabled' BEGIN
  UPDATE deliveries SET status = 'failed', next_attempt_at = NULL, settled_at = NEW.disabled_at WHERE endpoint_id = NEW.id AND status = 'pending';
  INSERT INTO webhook_messages (tenant_id, type, data)
  SELECT NEW.tenant_id, 'webhook_endpoint.disabled', json_object('endpoint', json_object('id', NEW.id, 'run_id', NEW.run_id,
    'disabled_because', NEW.disabled_because))
  WHERE NEW.disabled_because <> 'by_request';
END;
