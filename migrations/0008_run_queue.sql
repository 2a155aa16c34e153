-- A tenant's runs beyond its cap wait in a queue. A run has a slot from when it leaves the queue until it ends; while it waits for a
-- person or is paused it lends the slot to others.

ALTER TABLE tenants ADD COLUMN max_concurrent_runs INTEGER; -- NULL: the deployment's
ALTER TABLE runs ADD COLUMN queued_at INTEGER; -- since when it waits for a slot; NULL once it has one

CREATE INDEX runs_waiting ON runs (tenant_id, queued_at, id) WHERE phase = 'queued' AND queued_at IS NOT NULL;
CREATE INDEX runs_in_slots ON runs (tenant_id) WHERE phase IN ('queued', 'running') AND queued_at IS NULL AND paused = 0 AND open_interactions = 0;
