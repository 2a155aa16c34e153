import { Problem, type QuotaUse } from "./errors";

interface QuotaEntry {
  /** Limit of a tenant where neither the deployment nor the operator set another; it suits a small deployment. */
  limit: number;
  /** The counted quantity. */
  counts: string;
  /** How the tenant gets room again. */
  room: string;
  /** The period after which counting begins anew; absent: what exists is counted. */
  per?: "day";
}

/** Limits of what a tenant may store and do; test and live mode count together, in triggers (migrations/0010_usage_and_limits.sql). */
export const QUOTAS = {
  stored_bytes: {
    limit: 2_000_000_000,
    counts:
      "bytes of inputs, options, artifacts, answers, documents with their passages, items of data sets, and about 1,000 for each row",
    room: "Delete runs, corpora or data sets, or set RETENTION_DAYS; answers under idempotency keys expire after 24 hours.",
  },
  queued_runs: {
    limit: 1000,
    counts: "runs that wait for one of the tenant's slots",
    room: "Wait until runs end, or cancel some.",
  },
  corpora: { limit: 100, counts: "corpora", room: "Delete corpora." },
  documents: {
    limit: 50_000,
    counts: "documents of corpora",
    room: "Delete documents or corpora; those of a deleted corpus count until they are removed, minutes later.",
  },
  passages: {
    limit: 200_000,
    counts: "passages of documents in corpora",
    room: "Delete documents or corpora; those of a deleted corpus count until they are removed, minutes later.",
  },
  templates: { limit: 200, counts: "templates", room: "Delete templates." },
  schedules: { limit: 100, counts: "schedules", room: "Delete schedules." },
  datasets: { limit: 100, counts: "data sets", room: "Delete data sets." },
  dataset_items: { limit: 200_000, counts: "items of data sets", room: "Delete data sets." },
  keys: { limit: 100, counts: "API keys that are not revoked and have not expired", room: "Revoke keys." },
  webhook_endpoints: {
    limit: 20,
    counts: "webhook endpoints, without those of single runs",
    room: "Delete one, or subscribe one endpoint to more event types.",
  },
  streams: {
    limit: 200,
    counts: "event streams that are open",
    room: "Close streams that nobody reads; one whose connection broke counts for a minute at most.",
  },
  sandbox_executions: {
    limit: 5000,
    counts: "executions of generated programs that ended this day, in UTC",
    room: "Wait until midnight, UTC.",
    per: "day",
  },
  idempotency_keys: {
    limit: 100_000,
    counts: "idempotency keys of the last 24 hours",
    room: "Keys are free again after 24 hours; requests without the header need none.",
  },
} as const satisfies Record<string, QuotaEntry>;

export type Quota = keyof typeof QUOTAS;
export const QUOTA_NAMES = Object.keys(QUOTAS) as Quota[];

/** A limit for each quota. */
export type Quotas = Record<Quota, number>;

export const DEFAULT_QUOTAS = Object.fromEntries(
  Object.entries(QUOTAS).map(([name, { limit }]) => [name, limit]),
) as Quotas;

export const isDaily = (quota: Quota): boolean => "per" in QUOTAS[quota];

const DAY_MS = 24 * 60 * 60_000;

/** The UTC day, counted from the epoch. */
export const dayOf = (time: number): number => Math.floor(time / DAY_MS);

/** For quotas that get room only when somebody makes it: long, so that clients do not repeat requests at once. Seconds. */
const LONG_RETRY_AFTER = 3600;
/** Seconds after which a refused request may be repeated, for quotas that get room by themselves. */
const RETRY_AFTER: Partial<Record<Quota, () => number>> = {
  queued_runs: () => 10,
  streams: () => 60,
  sandbox_executions: () => Math.ceil((DAY_MS - (Date.now() % DAY_MS)) / 1000),
};

/** A request that needs more than a quota has left. */
export class QuotaExceededError extends Problem {
  constructor(
    tenant: string,
    override readonly quota: QuotaUse & { name: Quota },
    adds: number,
  ) {
    const { name, used, limit } = quota;
    super(
      "quota_exceeded",
      `${name}: ${used} of ${limit} are used (${QUOTAS[name].counts}), and this needs ${adds} more. ${QUOTAS[name].room} ` +
        `The operator raises it with \`npm run operator -- set-quota ${tenant} ${name}=<number>\`.`,
      [],
      RETRY_AFTER[name]?.() ?? LONG_RETRY_AFTER,
    );
  }
}
