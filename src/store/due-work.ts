import { archivable, halfRestored, POSTPONED_CHILDREN } from "./archive/archive-store";
import { AWAITING } from "./children";
import { NOT_ENDED, ENDED } from "./run-state";

/** What the parts of a maintenance pass compare with, milliseconds since the epoch, in the order of the parameters. A comparison with null finds nothing. */
export interface DueTimes {
  now: number;
  /** Runs and corpora without a heartbeat since then are nudged. */
  silent_since: number;
  /** The same of runs that wait for a person or are paused. */
  waiting_since: number;
  stalled_since: number;
  /** Runs and deliveries that ended earlier are removed. */
  retained_since: number | null;
  archived_before: number | null;
  /** Restores that began earlier were cut off. */
  restored_before: number;
  audited_before: number;
  /** A complete pass over the sealed texts that ended later need not be repeated. */
  sealed_since: number;
  /** The secrets in use, as `resealing` records them. */
  sealed_with: string;
}

const NAMES = [
  "now",
  "silent_since",
  "waiting_since",
  "stalled_since",
  "retained_since",
  "archived_before",
  "restored_before",
  "audited_before",
  "sealed_since",
  "sealed_with",
] as const satisfies (keyof DueTimes)[];

/** SQL: a run should make progress and is not marked as stalled. */
export const MAY_STALL = `${NOT_ENDED} AND paused = 0 AND open_interactions = 0 AND awaits_children = 0 AND stalled_at IS NULL AND queued_at IS NULL`;

/** SQL: a run has sent no heartbeat since `silent` or, if it waits for a person or is paused, since `waiting`. */
export const isSilent = (silent: string, waiting: string): string =>
  `${NOT_ENDED} AND queued_at IS NULL AND MAX(heartbeat_at, nudged_at)
     < iif(phase = 'queued' OR (paused = 0 AND open_interactions = 0 AND awaits_children = 0), ${silent}, ${waiting})`;

/**
 * Rows that each part of a maintenance pass has to handle. A condition may find more than the part's own statements, never less. The
 * partial indexes of what is in work answer each without reading what is stored.
 */
const DUE = {
  interactions: [
    "interactions WHERE status = 'open' AND expires_at <= :now",
    "interactions WHERE acknowledged = 0 AND settled_at > 0",
  ],
  reminders: ["interactions WHERE status = 'open' AND remind_at <= :now"],
  queue: ["runs WHERE phase = 'queued' AND queued_at IS NOT NULL"],
  "silent runs": [`runs WHERE ${isSilent(":silent_since", ":waiting_since")}`],
  parents: [`(${AWAITING})`],
  "stalled runs": [`runs WHERE heartbeat_at < :stalled_since AND ${MAY_STALL}`],
  webhooks: ["deliveries WHERE status = 'pending' AND next_attempt_at <= :now"],
  indexers: ["corpora WHERE due_at <= :silent_since"],
  "removed tenants": ["tenants WHERE removed_at IS NOT NULL"],
  "children of removed runs": ["removed_parents"],
  "old runs": [`runs WHERE ${ENDED} AND finished_at < :retained_since AND parent_id IS NULL`],
  "old deliveries": [
    "deliveries WHERE settled_at < :retained_since",
    "webhook_messages WHERE created_at < :retained_since",
  ],
  "old runs that move to R2": [
    halfRestored(":restored_before"),
    archivable(":archived_before"),
    `${POSTPONED_CHILDREN} AND c.archive_base < :archived_before`,
  ],
  "idempotency keys": ["idempotency_keys WHERE expires_at <= :now"],
  "audit log": ["audit_log WHERE created_at < :audited_before"],
  "orphaned objects": ["orphans WHERE due_at <= :now"],
  "stray passages": ["pools WHERE removed_at IS NOT NULL"],
  "stray vectors": ["stray_vectors"],
  "sealed secrets": [
    `(SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM resealing WHERE keys = :sealed_with AND position IS NULL AND completed_at > :sealed_since))`,
  ],
  reports: ["run_ends WHERE due_at <= :now"],
  schedules: ["schedules WHERE paused = 0 AND next_at IS NOT NULL AND next_at <= :now"],
} as const satisfies Record<string, readonly string[]>;

/** A part of a maintenance pass, by its name in the log and in an operator's status. */
export type PartName = keyof typeof DUE;

const PART_NAMES = Object.keys(DUE) as PartName[];

/** Rows of each kind that keep the maintenance worker awake. */
const REMAINING = {
  runs: `runs WHERE ${NOT_ENDED}`,
  run_ends: "run_ends",
  removed_tenants: "tenants WHERE removed_at IS NOT NULL",
  deliveries: "deliveries WHERE status = 'pending' AND polled = 0",
  orphans: "orphans",
  corpora: "corpora WHERE due_at IS NOT NULL",
  sealed_secrets: "resealing WHERE position IS NOT NULL",
  removed_parents: "removed_parents",
  removed_pools: "pools WHERE removed_at IS NOT NULL",
};

export type RemainingKind = keyof typeof REMAINING;

/** What a maintenance pass has to do, and what keeps the maintenance worker awake. */
export interface DueWork {
  due: PartName[];
  remaining: RemainingKind[];
}

const exists = (rows: string): string => `EXISTS (SELECT 1 FROM ${rows})`;
const numbered = (sql: string): string =>
  sql.replace(/:(\w+)/g, (_, name) => `?${NAMES.indexOf(name as (typeof NAMES)[number]) + 1}`);

const REMAINING_COLUMNS = Object.entries(REMAINING).map(([kind, rows]) => `${exists(rows)} AS "${kind}"`);
const DUE_COLUMNS = PART_NAMES.map((part) => `${numbered(DUE[part].map(exists).join(" OR "))} AS "${part}"`);

type Found<Name extends string> = Record<Name, 0 | 1>;

const remainingOf = (found: Found<RemainingKind>): RemainingKind[] =>
  (Object.keys(REMAINING) as RemainingKind[]).filter((kind) => found[kind] === 1);

/** What a maintenance pass has to do, in one round trip. */
export async function survey(db: D1Database, times: DueTimes): Promise<DueWork> {
  const found = await db
    .prepare(`SELECT ${[...REMAINING_COLUMNS, ...DUE_COLUMNS].join(", ")}`)
    .bind(...NAMES.map((name) => times[name]))
    .first<Found<RemainingKind | PartName>>();
  return { due: PART_NAMES.filter((part) => found![part] === 1), remaining: remainingOf(found!) };
}

/** The kinds of rows that keep the maintenance worker awake, of which any are left. */
export async function remainingWork(db: D1Database): Promise<RemainingKind[]> {
  const found = await db.prepare(`SELECT ${REMAINING_COLUMNS.join(", ")}`).first<Found<RemainingKind>>();
  return remainingOf(found!);
}
