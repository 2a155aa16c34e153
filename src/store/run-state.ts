/** Conditions on the state of a run, as statements write them. */

export const ALIVE = "phase IN ('queued', 'running')";
export const ENDED = "phase IN ('completed', 'failed', 'canceled')";
/** What every write of an instance requires: the run is at its epoch (?2) and has not ended. */
export const MINE = `id = ?1 AND epoch = ?2 AND ${ALIVE}`;

/** The clock of the triggers. It stands still within a statement, so what the statement returns is what they then write. */
export const NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

/** Calls that were cut off count as made; how many tokens they took nobody knows. */
export const RELEASE =
  "llm_calls = llm_calls + reserved_calls, reserved_calls = 0, reserved_tokens = 0, reserved_cost_usd = 0";
