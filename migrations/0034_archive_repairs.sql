-- Children whose archiving was put off, or that were restored after their parent was archived: the keeper finds them by this time.
CREATE INDEX runs_archived_late ON runs (archive_base) WHERE archive_base IS NOT NULL AND parent_id IS NOT NULL AND archive_key IS NULL;

-- Archived runs whose restore was begun and not finished.
CREATE INDEX runs_half_restored ON runs (archive_base) WHERE archive_key IS NOT NULL AND archive_base IS NOT NULL;
