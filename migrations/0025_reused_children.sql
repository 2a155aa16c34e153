-- Children that later runs may use in place of equal ones.
ALTER TABLE runs ADD COLUMN reuse_key TEXT; -- SHA-256 of the request, the code's version and the prompts; NULL: the run stands for no other

CREATE INDEX runs_reusable ON runs (tenant_id, mode, reuse_key, id) WHERE reuse_key IS NOT NULL AND phase = 'completed';
