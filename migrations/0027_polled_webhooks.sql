-- Endpoints whose consumer fetches its deliveries: it leases them, and acknowledges each.
ALTER TABLE webhook_endpoints ADD COLUMN delivery TEXT NOT NULL DEFAULT 'push' CHECK (delivery IN ('push', 'poll'));

ALTER TABLE deliveries ADD COLUMN polled INTEGER NOT NULL DEFAULT 0 CHECK (polled IN (0, 1));
ALTER TABLE deliveries ADD COLUMN seq INTEGER; -- of the event of a run, where deliveries are polled: a run's are given in this order
ALTER TABLE deliveries ADD COLUMN lease TEXT; -- id of the newest lease
ALTER TABLE deliveries ADD COLUMN leased_until INTEGER;

CREATE INDEX deliveries_polled ON deliveries (endpoint_id, run_id, seq) WHERE status = 'pending' AND polled = 1;
CREATE INDEX deliveries_unpolled ON deliveries (polled) WHERE status = 'pending' AND polled = 0;
CREATE INDEX deliveries_expiring ON deliveries (next_attempt_at) WHERE status = 'pending' AND polled = 1;
CREATE INDEX deliveries_by_lease ON deliveries (lease) WHERE lease IS NOT NULL;

-- A delivery to poll is not attempted. It fails when it was not acknowledged for as long as retries of a webhook last:
-- 272,105 seconds, the sum of `RETRY_AFTER` in src/services/webhooks/delivery/schedule.ts.
CREATE TRIGGER delivery_polled AFTER INSERT ON deliveries
WHEN (SELECT delivery FROM webhook_endpoints WHERE id = NEW.endpoint_id) = 'poll' BEGIN
  UPDATE deliveries SET polled = 1, seq = (SELECT seq FROM events WHERE id = NEW.event_id), next_attempt_at = NEW.created_at + 272105000
  WHERE event_id = NEW.event_id AND endpoint_id = NEW.endpoint_id;
END;
