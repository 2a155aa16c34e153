import { DurableObject } from "cloudflare:workers";
import type { RequestOutcome, ProviderLimits } from "#llm";
import { type GrantedPermit, type Lease, type RequestStart, type Ticket, FairQueue } from "#llm/limits/fair-queue";

const TABLES = `
  CREATE TABLE IF NOT EXISTS leases (id TEXT PRIMARY KEY, permit TEXT NOT NULL, until INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS requests (permit TEXT PRIMARY KEY, at INTEGER NOT NULL, tokens INTEGER NOT NULL) STRICT;`;
const CLOSED_UNTIL = "closed_until";

/**
 * The gate of one model provider, whose name is the object's name: every request to that provider needs a permit. Leases and counted
 * requests are stored, because the provider keeps counting when this object is moved. The queue is not: waiting callers ask again.
 */
export class ProviderGate extends DurableObject<Env> {
  private readonly sql = this.ctx.storage.sql;
  private readonly queue = this.restore();
  private limits: ProviderLimits = { max_concurrency: null, requests_per_minute: null, tokens_per_minute: null };
  private timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * Waits up to `wait_ms` for the ticket's turn; with 0 it answers at once.
   * @returns the permit; null: still queued; its place is kept for a minute
   */
  acquire(limits: ProviderLimits, ticket: Ticket, wait_ms: number): Promise<string | null> {
    this.limits = limits;
    return new Promise((resolve) => {
      const lapse = () => {
        if (this.queue.leave(ticket.id, admit, Date.now())) resolve(null);
      };
      const timer = wait_ms > 0 ? setTimeout(lapse, wait_ms) : undefined;
      const admit = (permit: string | null) => {
        clearTimeout(timer);
        resolve(permit);
      };
      if (this.queue.join(ticket, admit)) this.sql.exec("DELETE FROM leases WHERE id = ?", ticket.id);
      this.open();
      if (wait_ms === 0) lapse();
    });
  }

  /** Returns a permit; without effect when it was returned before or has expired. */
  release(id: string, permit: string, { closed_for_ms, tokens }: RequestOutcome): void {
    if (closed_for_ms > 0) this.close(Date.now() + closed_for_ms);
    if (tokens !== null) {
      this.queue.recordTokens(permit, tokens);
      this.sql.exec("UPDATE requests SET tokens = ? WHERE permit = ?", tokens, permit);
    }
    if (this.queue.release(id, permit)) this.sql.exec("DELETE FROM leases WHERE id = ?", id);
    this.open();
  }

  /** Returns all permits whose ids begin with `prefix`: of callers that are gone. */
  releaseAll(prefix: string): void {
    for (const id of this.queue.releaseAll(prefix)) this.sql.exec("DELETE FROM leases WHERE id = ?", id);
    this.open();
  }

  private close(until: number): void {
    this.queue.close(until);
    this.ctx.storage.kv.put(CLOSED_UNTIL, Math.max(until, this.ctx.storage.kv.get<number>(CLOSED_UNTIL) ?? 0));
  }

  private open(): void {
    const now = Date.now();
    const admitted = this.queue.admit(this.limits, now);
    if (admitted.length) this.store(admitted, now);
    clearTimeout(this.timer);
    const next = this.queue.opensAt(this.limits, now);
    if (this.queue.hasWaiting && next > now) this.timer = setTimeout(() => this.open(), next - now);
  }

  private store(admitted: readonly GrantedPermit[], now: number): void {
    this.sql.exec("DELETE FROM leases WHERE until <= ?", now);
    this.sql.exec("DELETE FROM requests WHERE at <= ?", now - 60_000);
    const counted = this.limits.requests_per_minute !== null || this.limits.tokens_per_minute !== null;
    for (const { id, permit, until, tokens } of admitted) {
      this.sql.exec("INSERT OR REPLACE INTO leases (id, permit, until) VALUES (?, ?, ?)", id, permit, until);
      if (counted) this.sql.exec("INSERT INTO requests (permit, at, tokens) VALUES (?, ?, ?)", permit, now, tokens);
    }
  }

  private restore(): FairQueue {
    this.sql.exec(TABLES);
    const leases = this.sql.exec<Lease & Record<string, SqlStorageValue>>("SELECT * FROM leases").toArray();
    const starts = this.sql
      .exec<RequestStart & Record<string, SqlStorageValue>>("SELECT * FROM requests ORDER BY at, rowid")
      .toArray();
    return new FairQueue(leases, starts, this.ctx.storage.kv.get<number>(CLOSED_UNTIL) ?? 0);
  }
}
