import type { QuotaStore } from "./quotas";
import { followed } from "./run-state";

/** A stream of events that is open. */
export interface StreamLease {
  id: string;
  tenant_id: string;
  key_id: string;
  /** The run that the stream follows. */
  run_id: string;
}

/** Open streams, counted by leases: one that a crash cut off counts until its lease expires. */
export class StreamStore {
  constructor(
    private readonly db: D1Database,
    private readonly quotas: QuotaStore,
  ) {}

  /**
   * Takes a lease, unless the key has `most` already.
   * @param until when the lease expires, unless it is renewed
   * @returns whether it is taken
   * @throws QuotaExceededError when the tenant has too many
   */
  async open({ id, tenant_id, key_id, run_id }: StreamLease, until: number, most: number): Promise<boolean> {
    const needs = { streams: 1 };
    const expired = this.db
      .prepare("DELETE FROM stream_leases WHERE tenant_id = ? AND expires_at <= ?")
      .bind(tenant_id, Date.now());
    const insert = this.db
      .prepare(
        `INSERT INTO stream_leases (id, tenant_id, key_id, expires_at, run_id) SELECT ?1, ?2, ?3, ?4, ?6
         WHERE (SELECT COUNT(*) FROM stream_leases WHERE tenant_id = ?2 AND key_id = ?3) < ?5`,
      )
      .bind(id, tenant_id, key_id, until, most, run_id);
    const { lease } = await this.quotas.batch(tenant_id, needs, { lease: insert }, [expired]);
    return lease.changes > 0;
  }

  /** Renews a lease, also one that has expired meanwhile. */
  async renew({ id, tenant_id, key_id, run_id }: StreamLease, until: number): Promise<void> {
    await this.db
      .prepare(
        `INSERT INTO stream_leases (id, tenant_id, key_id, expires_at, run_id) SELECT ?1, id, ?3, ?4, ?5 FROM tenants WHERE id = ?2
         ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at`,
      )
      .bind(id, tenant_id, key_id, until, run_id)
      .run();
  }

  /** Whether a stream follows the run. */
  async follows(run: string): Promise<boolean> {
    return (
      (await this.db
        .prepare(`SELECT ${followed("?1")} AS followed`)
        .bind(run)
        .first<0 | 1>("followed")) === 1
    );
  }

  async close(id: string): Promise<void> {
    await this.db.prepare("DELETE FROM stream_leases WHERE id = ?").bind(id).run();
  }
}
