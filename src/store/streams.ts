/** How many streams of events may be open at once. */
export interface StreamLimits {
  per_key: number;
  per_tenant: number;
}

/** A stream of events that is open. */
export interface StreamLease {
  id: string;
  tenant_id: string;
  key_id: string;
}

/** Open streams, counted by leases: one that a crash cut off counts until its lease expires. */
export class StreamStore {
  constructor(private readonly db: D1Database) {}

  /**
   * Takes a lease, unless the key or the tenant has too many.
   * @param until when the lease expires, unless it is renewed
   * @returns the limit that was reached; null: the lease is taken
   */
  async open(
    { id, tenant_id, key_id }: StreamLease,
    until: number,
    { per_key, per_tenant }: StreamLimits,
  ): Promise<keyof StreamLimits | null> {
    const [, inserted, counts] = await this.db.batch<{ of_key: number }>([
      this.db.prepare("DELETE FROM stream_leases WHERE tenant_id = ? AND expires_at <= ?").bind(tenant_id, Date.now()),
      this.db
        .prepare(
          `INSERT INTO stream_leases (id, tenant_id, key_id, expires_at) SELECT ?1, ?2, ?3, ?4
           WHERE (SELECT COUNT(*) FROM stream_leases WHERE tenant_id = ?2) < ?6
             AND (SELECT COUNT(*) FROM stream_leases WHERE tenant_id = ?2 AND key_id = ?3) < ?5`,
        )
        .bind(id, tenant_id, key_id, until, per_key, per_tenant),
      this.db
        .prepare("SELECT COUNT(*) AS of_key FROM stream_leases WHERE tenant_id = ? AND key_id = ?")
        .bind(tenant_id, key_id),
    ]);
    if (inserted!.meta.changes > 0) return null;
    return counts!.results[0]!.of_key >= per_key ? "per_key" : "per_tenant";
  }

  /** Renews a lease, also one that has expired meanwhile. */
  async renew({ id, tenant_id, key_id }: StreamLease, until: number): Promise<void> {
    await this.db
      .prepare(
        `INSERT INTO stream_leases (id, tenant_id, key_id, expires_at) SELECT ?1, id, ?3, ?4 FROM tenants WHERE id = ?2
         ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at`,
      )
      .bind(id, tenant_id, key_id, until)
      .run();
  }

  async close(id: string): Promise<void> {
    await this.db.prepare("DELETE FROM stream_leases WHERE id = ?").bind(id).run();
  }
}
