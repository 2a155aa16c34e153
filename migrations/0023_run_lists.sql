-- Lists of runs read what they show. Those of runs that requests started find no children in their indexes, however many there are.
CREATE INDEX started_runs ON runs (tenant_id, mode, id) WHERE parent_id IS NULL;
CREATE INDEX started_runs_by_workflow ON runs (tenant_id, mode, workflow, id) WHERE parent_id IS NULL;
CREATE INDEX started_runs_by_status ON runs (tenant_id, mode, status, id) WHERE parent_id IS NULL;
CREATE INDEX children_by_id ON runs (parent_id, id) WHERE parent_id IS NOT NULL;

-- Epochs count what people do too.
ALTER TABLE runs ADD COLUMN child_retries INTEGER NOT NULL DEFAULT 0; -- how often its parent has retried it by itself
