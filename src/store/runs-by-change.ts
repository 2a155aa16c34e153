import { TERMINAL_STATUSES, type RunStatus } from "#core/vocabulary";
import type { Owner } from "#core/owner";
import { ENDED } from "./run-state";

const ALIVE_STATUSES = "status IN ('queued', 'running', 'input_required', 'paused')";

/** SQL and its values in their order. */
interface Sql {
  sql: string;
  values: unknown[];
}

/** A run's place in a list by change: SQL of a text with the time, which has 15 digits, and the id. */
export const PLACE = "printf('%015d-%s', changed_at, changed_id)";
/** Where the id begins in a place, from 1. */
export const ID_AT = 17;

/** The time and the id of a place. */
function partsOf(place: string): [time: number, id: string] {
  return [Number(place.slice(0, ID_AT - 2)), place.slice(ID_AT - 1)];
}

/**
 * The started runs of an owner that changed last, with their ids and times as `changed_id` and `changed_at`: a table to select from. An index has
 * each ended status in this order; runs that have not ended, and those with the metadata, are read and sorted.
 * @param more further conditions on `runs`
 * @param after place of the last run that was seen
 */
export function runsByChange(
  { tenant_id, mode }: Owner,
  filter: { status?: RunStatus | undefined; metadata?: [key: string, value: string] | undefined },
  more: Sql,
  after: string | null,
  limit: number,
): Sql {
  const [time, id] = after === null ? [Number.MAX_SAFE_INTEGER, ""] : partsOf(after);
  const branch = (from: string, owner: string, condition: string, given: unknown[]): Sql => ({
    sql: `SELECT runs.id AS changed_id, updated_at AS changed_at FROM ${from} WHERE ${owner}.tenant_id = ? AND ${owner}.mode = ? AND ${condition}
      AND runs.parent_id IS NULL AND (updated_at, runs.id) < (?, ?)${more.sql}`,
    values: [tenant_id, mode, ...given, time, id, ...more.values],
  });
  const ofStatus = (status: RunStatus) =>
    branch("runs", "runs", `status = ?${isEnded(status) ? ` AND ${ENDED}` : ""}`, [status]);
  const all = () => [branch("runs", "runs", ALIVE_STATUSES, []), ...TERMINAL_STATUSES.map(ofStatus)];
  const withMetadata = ([key, value]: [string, string]) =>
    branch(
      "run_metadata m CROSS JOIN runs ON runs.id = m.run_id",
      "m",
      `m.key = ? AND m.value = ?${filter.status ? " AND status = ?" : ""}`,
      [key, value, ...(filter.status ? [filter.status] : [])],
    );
  const branches = filter.metadata
    ? [withMetadata(filter.metadata)]
    : filter.status
      ? [ofStatus(filter.status)]
      : all();
  return {
    sql: `(${branches.map(({ sql }) => sql).join(" UNION ALL ")} ORDER BY changed_at DESC, changed_id DESC LIMIT ?)`,
    values: [...branches.flatMap(({ values }) => values), limit],
  };
}

const isEnded = (status: RunStatus): boolean => (TERMINAL_STATUSES as readonly RunStatus[]).includes(status);
