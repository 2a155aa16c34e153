import { batch, type DoneBy, type Returning, type Statements } from "./batch";
import { dayOf, isDaily, type Quota, QUOTA_NAMES, QuotaExceededError, type Quotas } from "#core/quotas";

/** How many more of each quota a write needs. */
export type Needs = Partial<Record<Quota, number>>;

/** A tenant's usage of a quota, and its limit. */
export interface QuotaUsage {
  used: number;
  limit: number;
}

const dayFor = (quota: Quota): number => (isDaily(quota) ? dayOf(Date.now()) : 0);

/** Quotas of tenants. Triggers count (migrations/0010_usage_and_limits.sql). */
export class QuotaStore {
  /** @param limits of tenants for which the operator set no other */
  constructor(
    private readonly db: D1Database,
    private readonly limits: Quotas,
  ) {}

  /**
   * A statement that lets its transaction fail, with what `refused` takes, when a quota has no room. It comes before the statements that write.
   * @param unless SQL condition, with values from ?3 on, under which nothing new is written
   */
  check(tenant: string, needs: Needs, unless?: { condition: string; values: readonly string[] }): D1PreparedStatement {
    const wanted = (Object.entries(needs) as [Quota, number][]).map(([quota, adds]) => [
      quota,
      dayFor(quota),
      adds,
      this.limits[quota],
    ]);
    return this.db
      .prepare(
        `INSERT INTO quota_check (tenant_id, quota, day, adds, most)
         SELECT ?1, value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?2)${unless ? ` WHERE NOT (${unless.condition})` : ""}`,
      )
      .bind(tenant, JSON.stringify(wanted), ...(unless?.values ?? []));
  }

  /**
   * Executes statements in one transaction, with the check of what they need.
   * @param before those that make room first
   * @throws QuotaExceededError that names the quota without room; then nothing is written
   */
  batch<S extends Statements>(
    tenant: string,
    needs: Needs,
    statements: S & { before?: never; check?: never },
    before: readonly D1PreparedStatement[] = [],
  ): Promise<DoneBy<S>> {
    const all: S = { before, check: this.check(tenant, needs), ...statements };
    return this.within(tenant, needs, () => batch(this.db, all));
  }

  /** Executes a batch with checks. @throws QuotaExceededError that names the quota without room; then nothing is written */
  async within<T>(tenant: string, needs: Needs, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!String(error).includes("quota_exceeded")) throw error;
      throw await this.refusal(tenant, needs);
    }
  }

  /** @throws QuotaExceededError when a quota has no room for this many more */
  async assertRoom(tenant: string, needs: Needs): Promise<void> {
    await this.within(tenant, needs, () => this.check(tenant, needs).run());
  }

  /** A tenant's usage of each quota. */
  async usage(tenant: string): Promise<Record<Quota, QuotaUsage>> {
    const { results } = await this.usageStatement(tenant).all<QuotaUsageRow>();
    return this.toUsage(results);
  }

  /** Keys that have expired are still counted until the next one is made: they are taken off here. */
  usageStatement(tenant: string): Returning<QuotaUsageRow> {
    const expired =
      "SELECT COUNT(*) FROM keys WHERE tenant_id = ?1 AND counted = 1 AND revoked_at IS NULL AND expires_at <= ?2";
    return this.db
      .prepare(
        `SELECT quota, day, used - iif(quota = 'keys', (${expired}), 0) AS used, NULL AS most FROM quota_usage WHERE tenant_id = ?1
         UNION ALL SELECT quota, NULL, NULL, most FROM quota_limits WHERE tenant_id = ?1`,
      )
      .bind(tenant, Date.now());
  }

  toUsage(rows: readonly QuotaUsageRow[]): Record<Quota, QuotaUsage> {
    const usageOf = (name: Quota): QuotaUsage => {
      const own = rows.filter(({ quota }) => quota === name);
      const limit = own.find(({ most }) => most !== null)?.most ?? this.limits[name];
      return { used: own.find(({ day }) => day === dayFor(name))?.used ?? 0, limit };
    };
    return Object.fromEntries(QUOTA_NAMES.map((name) => [name, usageOf(name)])) as Record<Quota, QuotaUsage>;
  }

  private async refusal(tenant: string, needs: Needs): Promise<QuotaExceededError> {
    const usage = await this.usage(tenant);
    const wanted = (Object.entries(needs) as [Quota, number][]).map(([name, adds]) => ({ name, adds, ...usage[name] }));
    // The one that is exceeded most: another request may have made room since.
    const [{ name, adds, used, limit }] = wanted.sort(
      (a, b) => b.used + b.adds - b.limit - (a.used + a.adds - a.limit),
    ) as [(typeof wanted)[number]];
    return new QuotaExceededError(tenant, { name, used, limit }, adds);
  }
}

/** A count, or an operator's limit; the other columns are null. */
export interface QuotaUsageRow {
  quota: Quota;
  day: number | null;
  used: number | null;
  most: number | null;
}

/** Bytes of a text in UTF-8. */
export const bytesOf = (text: string | null): number => (text === null ? 0 : Buffer.byteLength(text));
