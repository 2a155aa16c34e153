-- Endpoints for the updates of one A2A task: they have the run_id, and send A2A's objects in the place of our events.
ALTER TABLE webhook_endpoints ADD COLUMN format TEXT NOT NULL DEFAULT 'events' CHECK (format IN ('events', 'a2a'));
ALTER TABLE webhook_endpoints ADD COLUMN headers TEXT; -- sealed JSON: headers of each delivery that are secrets of the receiver
