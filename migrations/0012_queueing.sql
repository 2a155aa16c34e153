ALTER TABLE runs ADD COLUMN queued_ms INTEGER NOT NULL DEFAULT 0; -- of its active time, what it waited at providers' gates: no timeout counts it
