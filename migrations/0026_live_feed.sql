-- The run that a stream follows: a commit wakes the streams of its run, and nobody else asks whether there are any.
ALTER TABLE stream_leases ADD COLUMN run_id TEXT;

CREATE INDEX stream_leases_by_run ON stream_leases (run_id, expires_at) WHERE run_id IS NOT NULL;
