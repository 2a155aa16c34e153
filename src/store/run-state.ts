/** SQL conditions on the state of a run. */

export const NOT_ENDED = "phase IN ('queued', 'running')";
export const ENDED = "phase IN ('completed', 'failed', 'canceled')";
/** Condition of every write of an instance: the run (?1) is at its epoch (?2) and has not ended. */
export const OWNED = `id = ?1 AND epoch = ?2 AND ${NOT_ENDED}`;

/** The clock of the triggers. It is constant within a statement, so triggers write the same time that the statement returns. */
export const NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

/** SQL: whether a stream of events follows a run. @param run SQL of its id */
export const followed = (run: string): string =>
  `EXISTS (SELECT 1 FROM stream_leases WHERE run_id = ${run} AND expires_at > ${NOW})`;

/** SQL: whether the owner of a run has brought keys for providers. @param run SQL of its id */
export const ownsKeys = (run: string): string =>
  `EXISTS (SELECT 1 FROM runs r JOIN provider_keys k ON k.tenant_id = r.tenant_id AND k.mode = r.mode WHERE r.id = ${run})`;

/** Interrupted calls count as made; their tokens are unknown. */
export const RELEASE = `llm_calls = llm_calls + reserved_calls, reserved_calls = 0, reserved_tokens = 0, reserved_cost_usd = 0,
   used_role = NULL, used_model = NULL, used_priced = 0`;

/** The new values of a run that is queued again, in its next epoch. @param now SQL of the time */
export const requeued = (now: string): string =>
  `phase = 'queued', queued_at = ${now}, epoch = epoch + 1, unended_starts = 0, paused = 0, output = NULL, error = NULL, finished_at = NULL, archive_base = NULL,
   heartbeat_at = ${now}, updated_at = ${NOW}, ${RELEASE}, stalled_at = NULL, outages = '{}', awaits_children = 0`;
