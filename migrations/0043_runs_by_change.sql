-- Ended runs in the order of their last change. Those that have not ended are few, and sorted when they are listed: their change is not indexed, because
-- each artifact would then cost another write.
CREATE INDEX started_runs_by_change ON runs (tenant_id, mode, status, updated_at, id)
WHERE parent_id IS NULL AND phase IN ('completed', 'failed', 'canceled');
