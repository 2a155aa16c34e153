-- The event log of runs, append-only. Event streams and webhooks read it.
CREATE TABLE events (
  id TEXT NOT NULL UNIQUE DEFAULT (
    -- A ULID: ten characters of time, then sixteen random ones (hexadecimal digits are Crockford digits too). SQLite makes it, because triggers
    -- write events.
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
  run_id TEXT NOT NULL,
  seq INTEGER NOT NULL, -- dense per run, from 1
  type TEXT NOT NULL, -- {EventType}
  data TEXT NOT NULL, -- JSON
  created_at INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)),
  PRIMARY KEY (run_id, seq)
) STRICT, WITHOUT ROWID;

-- How an event is written: it gets its number and the run's status, and the run's updated_at is set. A view with a trigger, so that other
-- triggers can call it like a procedure. Only the commit of an artifact writes to `events` itself.
CREATE VIEW new_event AS SELECT run_id, type, data FROM events;

CREATE TRIGGER new_event_insert INSTEAD OF INSERT ON new_event BEGIN
  INSERT INTO events (run_id, seq, type, data)
  SELECT NEW.run_id, COALESCE((SELECT MAX(seq) FROM events WHERE run_id = NEW.run_id), 0) + 1, NEW.type,
    json_set(NEW.data, '$.status', status) FROM runs WHERE id = NEW.run_id;
  UPDATE runs SET updated_at = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE id = NEW.run_id;
END;

-- Queues a delivery for each endpoint that wants the event: those of the tenant in the run's mode, unless the run is a child, and the run's own.
-- A trigger, so that no event can be written without its deliveries. Not while the run is archived: a restore inserts events again.
-- Two searches, because an OR would read the endpoints of all runs of the tenant. The random half of the event's ULID is replaced, because
-- several endpoints may get one event.
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

-- Where events and messages are sent: an endpoint of a whole tenant, or with a run_id of one run.
CREATE TABLE webhook_endpoints (
  id TEXT PRIMARY KEY, tenant_id TEXT NOT NULL, mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
  run_id TEXT, -- run that declared the webhook; NULL for an endpoint of the whole tenant
  kind TEXT NOT NULL DEFAULT 'http' CHECK (kind IN ('http', 'slack', 'email')), -- a signed webhook, a Slack message or a mail
  delivery TEXT NOT NULL DEFAULT 'push' CHECK (delivery IN ('push', 'poll')), -- poll: its consumer leases deliveries and acknowledges each
  format TEXT NOT NULL DEFAULT 'events' CHECK (format IN ('events', 'a2a')), -- of the bodies: our events, or A2A objects of the run's task
  url TEXT NOT NULL, -- empty when deliveries are polled; `mailto:` and an address; of Slack only the origin
  headers TEXT, -- encrypted JSON: headers of each delivery that are secrets of the receiver
  events TEXT NOT NULL, -- JSON: array of event types
  description TEXT NOT NULL DEFAULT '',
  secret TEXT NOT NULL, -- encrypted, like previous_secret; of Slack the whole URL
  previous_secret TEXT, -- signs too, beside the current one, for some time after a rotation
  previous_secret_until INTEGER,
  status TEXT NOT NULL DEFAULT 'enabled' CHECK (status IN ('enabled', 'disabled')),
  disabled_because TEXT, -- {DisabledBecause}
  disabled_at INTEGER, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX webhook_endpoints_by_tenant ON webhook_endpoints (tenant_id, run_id);

-- The quota of webhook endpoints counts those of the whole tenant; a run's own is deleted with the run.
CREATE TRIGGER endpoint_counted AFTER INSERT ON webhook_endpoints BEGIN
  INSERT INTO usage_change VALUES (NEW.tenant_id, 'webhook_endpoints', NEW.run_id IS NULL);
END;

CREATE TRIGGER endpoint_uncounted AFTER DELETE ON webhook_endpoints BEGIN
  INSERT INTO usage_change VALUES (OLD.tenant_id, 'webhook_endpoints', -(OLD.run_id IS NULL));
END;

-- The pending deliveries of an endpoint that is disabled fail, and the tenant's other endpoints get a message unless the tenant disabled it. A
-- trigger, so that no delivery stays pending for a disabled endpoint.
CREATE TRIGGER endpoint_disabled AFTER UPDATE OF status ON webhook_endpoints WHEN OLD.status = 'enabled' AND NEW.status = 'disabled' BEGIN
  UPDATE deliveries SET status = 'failed', next_attempt_at = NULL, settled_at = NEW.disabled_at WHERE endpoint_id = NEW.id AND status = 'pending';
  INSERT INTO webhook_messages (tenant_id, mode, type, data)
  SELECT NEW.tenant_id, NEW.mode, 'webhook_endpoint.disabled', json_object('endpoint', json_object('id', NEW.id, 'run_id', NEW.run_id,
    'disabled_because', NEW.disabled_because))
  WHERE NEW.disabled_because <> 'by_request';
END;

-- Webhook messages that are not events of a run.
CREATE TABLE webhook_messages (
  id TEXT PRIMARY KEY DEFAULT ( -- like the ids of events
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
  tenant_id TEXT NOT NULL, mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
  endpoint_id TEXT, -- the endpoint that gets it; NULL: all of the tenant's in its mode that want its type
  type TEXT NOT NULL, -- {MessageType}
  data TEXT NOT NULL, -- JSON
  created_at INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER))
) STRICT;
CREATE INDEX webhook_messages_by_age ON webhook_messages (created_at);

-- Queues a message's deliveries, as event_deliveries does for an event.
CREATE TRIGGER message_deliveries AFTER INSERT ON webhook_messages BEGIN
  INSERT INTO deliveries (event_id, endpoint_id, tenant_id, type, id, round_began_at, next_attempt_at, created_at)
  SELECT NEW.id, e.id, e.tenant_id, NEW.type, 'del_' || substr(NEW.id, 5, 10) || hex(randomblob(8)), NEW.created_at, NEW.created_at, NEW.created_at
  FROM webhook_endpoints e
  WHERE e.tenant_id = NEW.tenant_id AND e.status = 'enabled' AND iif(NEW.endpoint_id IS NULL,
    e.mode = NEW.mode AND e.run_id IS NULL AND EXISTS (SELECT 1 FROM json_each(e.events) WHERE value = NEW.type), e.id = NEW.endpoint_id);
END;

-- Quota of stored bytes: 1,000 for a message, 2,000 for an attempt of a delivery (below).
CREATE TRIGGER message_counted AFTER INSERT ON webhook_messages BEGIN INSERT INTO usage_change VALUES (NEW.tenant_id, 'stored_bytes', 1000); END;
CREATE TRIGGER message_uncounted AFTER DELETE ON webhook_messages BEGIN INSERT INTO usage_change VALUES (OLD.tenant_id, 'stored_bytes', -1000); END;

-- One event or message for one endpoint. A redelivery starts a new round of retries.
CREATE TABLE deliveries (
  id TEXT NOT NULL UNIQUE,
  event_id TEXT NOT NULL, -- id of an event or of a message
  endpoint_id TEXT NOT NULL, tenant_id TEXT NOT NULL,
  run_id TEXT, -- NULL: of a message
  type TEXT NOT NULL, -- {DeliveryType}
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed')),
  attempts INTEGER NOT NULL DEFAULT 0,
  round_attempts INTEGER NOT NULL DEFAULT 0, -- attempts since the delivery was last requested
  round_began_at INTEGER NOT NULL,
  next_attempt_at INTEGER, -- of a polled delivery, when it fails unless it is acknowledged; NULL once it is completed
  created_at INTEGER NOT NULL, settled_at INTEGER,
  polled INTEGER NOT NULL DEFAULT 0 CHECK (polled IN (0, 1)),
  seq INTEGER, -- of the event, where deliveries are polled: a run's are given in this order
  lease TEXT, -- id of the latest lease
  leased_until INTEGER,
  PRIMARY KEY (event_id, endpoint_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX deliveries_by_run ON deliveries (run_id);
CREATE INDEX deliveries_by_endpoint ON deliveries (endpoint_id, id);
CREATE INDEX deliveries_due ON deliveries (endpoint_id, next_attempt_at) WHERE status = 'pending';
CREATE INDEX deliveries_unpolled ON deliveries (polled) WHERE status = 'pending' AND polled = 0;
CREATE INDEX deliveries_polled ON deliveries (endpoint_id, run_id, seq) WHERE status = 'pending' AND polled = 1;
CREATE INDEX deliveries_expiring ON deliveries (next_attempt_at) WHERE status = 'pending' AND polled = 1;
CREATE INDEX deliveries_by_lease ON deliveries (lease) WHERE lease IS NOT NULL;
CREATE INDEX deliveries_settled ON deliveries (settled_at) WHERE settled_at IS NOT NULL;
-- For metrics
CREATE INDEX deliveries_undelivered ON deliveries (tenant_id, status) WHERE status <> 'delivered';

-- A delivery to poll is not attempted. It fails when it is not acknowledged for as long as the retries of a webhook last: 272,105 seconds, the
-- sum of `RETRY_AFTER` in src/services/webhooks/delivery/schedule.ts. A trigger, because triggers insert deliveries.
CREATE TRIGGER delivery_polled AFTER INSERT ON deliveries
WHEN (SELECT delivery FROM webhook_endpoints WHERE id = NEW.endpoint_id) = 'poll' BEGIN
  UPDATE deliveries SET polled = 1, seq = (SELECT seq FROM events WHERE id = NEW.event_id), next_attempt_at = NEW.created_at + 272105000
  WHERE event_id = NEW.event_id AND endpoint_id = NEW.endpoint_id;
END;

-- The log of requests to endpoints.
CREATE TABLE delivery_attempts (
  delivery_id TEXT NOT NULL, attempt INTEGER NOT NULL, started_at INTEGER NOT NULL, duration_ms INTEGER NOT NULL,
  url TEXT, -- NULL when the request could not be built
  request_headers TEXT, -- JSON
  response_status INTEGER,
  response_body TEXT, -- its first kilobyte
  error TEXT,
  PRIMARY KEY (delivery_id, attempt)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER attempt_counted AFTER INSERT ON delivery_attempts BEGIN
  INSERT INTO usage_change SELECT tenant_id, 'stored_bytes', 2000 FROM deliveries WHERE id = NEW.delivery_id;
END;

CREATE TRIGGER attempt_uncounted AFTER DELETE ON delivery_attempts BEGIN
  INSERT INTO usage_change SELECT tenant_id, 'stored_bytes', -2000 FROM deliveries WHERE id = OLD.delivery_id;
END;
