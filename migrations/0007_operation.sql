-- What whoever runs the service needs: why a run stalls, ends that are to be told outside, ages, and tenants that leave.

ALTER TABLE runs ADD COLUMN trouble TEXT; -- the latest attempt of an act that failed and is to be made again: {act, code, at}
ALTER TABLE runs ADD COLUMN stalled_because TEXT; -- what run.stalled says

DROP TRIGGER run_stalled;

CREATE TRIGGER run_stalled AFTER UPDATE OF stalled_at ON runs WHEN OLD.stalled_at IS NULL AND NEW.stalled_at IS NOT NULL BEGIN
  INSERT INTO new_event VALUES (NEW.id, 'run.stalled', NEW.stalled_because);
END;

-- Ends of runs that traces and counts are still to be made of. One run may end several times: retry takes it up again.
CREATE TABLE run_ends (
  run_id TEXT NOT NULL,
  epoch INTEGER NOT NULL, -- that ended; a cancel has raised the run's own by then
  tenant_id TEXT NOT NULL,
  phase TEXT NOT NULL,
  ended_at INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0, -- to export its trace
  counted INTEGER NOT NULL DEFAULT 0, -- 1 once its data point is written
  PRIMARY KEY (run_id, epoch)
) STRICT, WITHOUT ROWID;

CREATE INDEX run_ends_due ON run_ends (due_at);

CREATE TRIGGER run_ended AFTER UPDATE OF phase ON runs
WHEN OLD.phase IN ('queued', 'running') AND NEW.phase IN ('completed', 'failed', 'canceled') BEGIN
  INSERT OR REPLACE INTO run_ends (run_id, epoch, tenant_id, phase, ended_at, due_at)
  VALUES (NEW.id, OLD.epoch, NEW.tenant_id, NEW.phase, NEW.finished_at, NEW.finished_at);
END;

CREATE INDEX runs_ended ON runs (finished_at) WHERE phase IN ('completed', 'failed', 'canceled');

ALTER TABLE tenants ADD COLUMN removed_at INTEGER; -- since then it has no keys; the keeper removes what is left

-- What metrics count of deliveries.
CREATE INDEX deliveries_unsettled ON deliveries (tenant_id, status) WHERE status <> 'delivered';
