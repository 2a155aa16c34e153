import { firstIdAt } from "#core/ids";
import type { Owner } from "#core/owner";
import type { Page } from "#core/page";
import type { RunStatus } from "#core/vocabulary";
import { boundedPage } from "./bounded-page";
import type { RunRow } from "./rows";
import { ID_AT, PLACE, runsByChange } from "./runs-by-change";

/** A run as lists read it: without the texts that may be long. */
export type RunEntryRow = Omit<RunRow, "input" | "input_key" | "options" | "options_key">;

export interface RunFilter {
  /** Only children of this run; absent: only runs that have no parent. */
  parent_id?: string;
  workflow?: string;
  /** null: all. */
  workflows?: readonly string[] | null;
  status?: RunStatus;
  created_after?: number | undefined;
  created_before?: number | undefined;
  metadata?: Record<string, string>;
  /** By default the newest first; `updated`: those that changed last, of the runs that requests started. */
  order?: "created" | "updated";
}

/** Time in which a request that has made an id also creates its run. Milliseconds. */
const MAX_REQUEST_MS = 10 * 60_000;
/** By which an id may be ahead of its run's creation: of two isolates one may have the later clock. Milliseconds. */
const CLOCK_SKEW = 60_000;

/** The columns of RunEntryRow. */
export const ENTRY_COLUMNS = `t.id, t.tenant_id, t.workflow, t.workflow_version, t.mode, t.models, t.limits, t.metadata, t.test, t.origin,
  t.title, t.excerpt, t.requested_by, t.phase, t.epoch, t.generation, t.generations, t.paused, t.pauses, t.open_interactions, t.status, t.stage,
  t.steps_done, t.llm_calls, t.input_tokens, t.cached_input_tokens, t.output_tokens, t.reasoning_tokens, t.cost_usd, t.reserved_calls, t.reserved_tokens,
  t.reserved_cost_usd, t.active_ms, t.queued_ms, t.active_since, t.unended_starts, t.budget_warned, t.output, t.error, t.heartbeat_at, t.queued_at, t.nudged_at,
  t.stalled_at, t.last_failure, t.stalled_because, t.created_at, t.started_at, t.updated_at, t.finished_at, t.stored_bytes, t.asks_about, t.parent_id, t.child_group, t.child_key, t.reuse_key, t.awaits_children, t.child_waits, t.outages, t.archive_key, t.archive_stages, t.archive_base`;

const LONG_COLUMNS = ["output", "error", "metadata", "test", "models"];

/**
 * Newest first, or those that changed last; without inputs and options.
 * @param after the last id of the previous page; ordered by change, its `next`
 */
export async function listRuns(
  db: D1Database,
  { tenant_id, mode }: Owner,
  filter: RunFilter,
  limit: number,
  after: string | null,
): Promise<Page<RunEntryRow>> {
  const isChild = filter.parent_id !== undefined;
  const metadata = Object.entries(filter.metadata ?? {});
  // Only runs that requests started are found by their metadata.
  const byMetadata = isChild ? undefined : metadata.shift();
  const isByChange = filter.order === "updated";
  const ofMetadata = byMetadata !== undefined && !isByChange;
  const id = ofMetadata ? "m.run_id" : isByChange ? "runs.id" : "id";
  const more = narrowed(filter, metadata, id);
  const common = { table: "runs", columns: ENTRY_COLUMNS, long: LONG_COLUMNS };
  if (isByChange) {
    const found = { status: filter.status, metadata: byMetadata };
    const from = runsByChange({ tenant_id, mode }, found, more, after, limit + 1);
    const listing = {
      ...common,
      from: `${from.sql} CROSS JOIN runs ON runs.id = changed_id`,
      from_key: PLACE,
      id_of_key: (place: string) => `substr(${place}, ${ID_AT})`,
      where: "TRUE",
      values: from.values,
    };
    return boundedPage(db, listing, limit);
  }
  const source = ofMetadata ? "m." : "";
  // The sign keeps SQLite from choosing the index of all runs of the owner over that of the parent's children.
  const where = isChild ? ["+tenant_id = ?", "+mode = ?"] : [`${source}tenant_id = ?`, `${source}mode = ?`];
  const values: unknown[] = [tenant_id, mode];
  const add = (condition: string, ...value: unknown[]) => (where.push(condition), values.push(...value));
  if (byMetadata) add("m.key = ? AND m.value = ?", ...byMetadata);
  if (after) add(`${id} < ?`, after);
  if (isChild) add("parent_id = ?", filter.parent_id);
  else add("parent_id IS NULL");
  if (filter.status) add("status = ?", filter.status);
  const listing = {
    ...common,
    ...(byMetadata && { from: "run_metadata m CROSS JOIN runs ON runs.id = m.run_id", from_key: "m.run_id" }),
    where: where.join(" AND ") + more.sql,
    values: [...values, ...more.values],
  };
  return boundedPage(db, listing, limit);
}

/** Conditions of a list for which no index is chosen, each after an AND. @param id SQL of the run's id */
function narrowed(
  filter: RunFilter,
  metadata: [key: string, value: string][],
  id: string,
): { sql: string; values: unknown[] } {
  let sql = "";
  const values: unknown[] = [];
  const add = (condition: string, ...value: unknown[]) => {
    sql += ` AND ${condition}`;
    values.push(...value);
  };
  if (filter.workflow) add("workflow = ?", filter.workflow);
  if (filter.workflows) add("workflow IN (SELECT value FROM json_each(?))", JSON.stringify(filter.workflows));
  // Ids begin with the time at which a request made them, shortly before their run was created.
  if (filter.created_after !== undefined)
    add(`created_at > ? AND ${id} > ?`, filter.created_after, firstIdAt("run", filter.created_after - MAX_REQUEST_MS));
  if (filter.created_before !== undefined)
    add(`created_at < ? AND ${id} < ?`, filter.created_before, firstIdAt("run", filter.created_before + CLOCK_SKEW));
  for (const [key, value] of metadata) add("metadata ->> ? = ?", `$.${JSON.stringify(key)}`, value);
  return { sql, values };
}
