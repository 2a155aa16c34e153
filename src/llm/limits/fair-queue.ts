import type { ProviderLimits } from "../index";

/** A request that waits for its turn. */
export interface Ticket {
  /** Names run, epoch and step. A second ticket with the same id comes after a crash and takes over the place of the first. */
  id: string;
  tenant: string;
  run: string;
  /** How long the request may last, in milliseconds. A permit that is not released expires then. */
  lease_ms: number;
  /** The most that the request is expected to use. */
  tokens: number;
}

/** A request that started within the last minute. */
export interface RequestStart {
  /** Its permit. */
  permit: string;
  at: number;
  /** Tokens used; until that is known, tokens expected. */
  tokens: number;
}

/** A granted permit that is not released yet. */
export interface Lease {
  id: string;
  /** Distinguishes this permit from a later one for the same ticket. */
  permit: string;
  until: number;
}

/** A permit that was just granted. */
export type GrantedPermit = Lease & Pick<Ticket, "tokens">;

interface WaitingTicket {
  ticket: Ticket;
  /** Sequence number of its arrival. */
  arrived: number;
  /** null while the caller is away: the place is kept for a while, and skipped. */
  admit: ((permit: string | null) => void) | null;
  left_at: number;
}

const MINUTE_MS = 60_000;
/** How long the place of a caller that left is kept; it may return after checking whether its run continues. */
const PLACE_KEPT_MS = 60_000;
/** A caller that only checks its run returns within this time; until then its saved tokens are not given to others. */
const RETURN_MS = 2000;

/**
 * FIFO queue for a provider's requests, rotating by tenant, then by run: a tenant with many runs gets one turn at a time among tenants,
 * a run with many branches one at a time among runs.
 */
export class FairQueue {
  private readonly leases = new Map<string, Lease>();
  private readonly waiting = new Map<string, WaitingTicket>();
  private readonly tenantTurns = new Map<string, number>();
  private readonly runTurns = new Map<string, number>();
  private sequence = 0;

  /**
   * @param starts requests of the last minute, oldest first
   * @param closed_until no request is admitted before this time
   */
  constructor(
    leases: readonly Lease[] = [],
    private starts: RequestStart[] = [],
    private closed_until = 0,
  ) {
    for (const lease of leases) this.leases.set(lease.id, lease);
  }

  /**
   * @param admit called once: with the permit when it is this ticket's turn, or with null when another caller takes over its place
   * @returns whether the ticket held a permit, which it gives up
   */
  join(ticket: Ticket, admit: (permit: string | null) => void): boolean {
    const held = this.leases.delete(ticket.id);
    const before = this.waiting.get(ticket.id);
    before?.admit?.(null);
    this.waiting.set(ticket.id, { ticket, arrived: before?.arrived ?? ++this.sequence, admit, left_at: 0 });
    return held;
  }

  /** Stops waiting for a turn; the place is kept. False when the ticket was already admitted or its place taken over. */
  leave(id: string, admit: (permit: string | null) => void, now: number): boolean {
    const waiting = this.waiting.get(id);
    if (waiting?.admit !== admit) return false;
    Object.assign(waiting, { admit: null, left_at: now });
    return true;
  }

  /** Grants permits in order, as far as the limits allow. */
  admit(limits: ProviderLimits, now: number): GrantedPermit[] {
    this.removeExpired(now);
    const admitted: GrantedPermit[] = [];
    while (this.opensAt(limits, now) <= now) {
      const next = this.firstWaiting();
      if (!next) break;
      const { ticket, admit } = next;
      const lease = { id: ticket.id, permit: crypto.randomUUID(), until: now + ticket.lease_ms };
      this.leases.set(ticket.id, lease);
      this.waiting.delete(ticket.id);
      this.starts.push({ permit: lease.permit, at: now, tokens: ticket.tokens });
      this.recordTurn(ticket);
      admitted.push({ ...lease, tokens: ticket.tokens });
      admit!(lease.permit);
    }
    return admitted;
  }

  /** Releases a permit; false when it has expired already. */
  release(id: string, permit: string): boolean {
    return this.leases.get(id)?.permit === permit && this.leases.delete(id);
  }

  /** Gives up the permits and the places of tickets whose ids begin with `prefix`. @returns the ids of the permits */
  releaseAll(prefix: string): string[] {
    for (const [id, { admit }] of this.waiting)
      if (id.startsWith(prefix)) {
        this.waiting.delete(id);
        admit?.(null);
      }
    const ids = [...this.leases.keys()].filter((id) => id.startsWith(prefix));
    for (const id of ids) this.leases.delete(id);
    return ids;
  }

  /** Replaces the expected tokens of a request by those that it used. */
  recordTokens(permit: string, tokens: number): void {
    const start = this.starts.find((candidate) => candidate.permit === permit);
    if (start) start.tokens = tokens;
  }

  /** Admits no request before `until`. */
  close(until: number): void {
    this.closed_until = Math.max(this.closed_until, until);
  }

  /** The earliest time at which the next request may be admitted, unless a release frees room before; `now` or earlier: at once. */
  opensAt({ max_concurrency, requests_per_minute, tokens_per_minute }: ProviderLimits, now: number): number {
    const full = max_concurrency !== null && this.leases.size >= max_concurrency;
    const free = full ? Math.min(...[...this.leases.values()].map(({ until }) => until)) : now;
    const last = requests_per_minute === null ? undefined : this.starts.at(-requests_per_minute);
    const afterRequests = last === undefined ? now : last.at + MINUTE_MS;
    return Math.max(this.closed_until, free, afterRequests, this.affordableAt(tokens_per_minute, now));
  }

  /**
   * The time at which the tokens of the next request fit below the limit, besides those saved for an earlier request whose caller is away
   * for a moment. Without saved tokens, small requests would take the tokens each time a large one checks its run, and the large one would starve.
   */
  private affordableAt(limit: number | null, now: number): number {
    const next = limit === null ? null : this.firstWaiting();
    if (limit === null || !next) return now;
    const at = this.roomAt(next.ticket.tokens, limit, now);
    const ahead = this.firstWaiting(({ admit, left_at }) => admit !== null || left_at + RETURN_MS > now)!;
    if (ahead === next) return at;
    const forBoth = this.roomAt(ahead.ticket.tokens + next.ticket.tokens, limit, now);
    return Math.max(at, Math.min(forBoth, ahead.left_at + RETURN_MS));
  }

  /** The time at which this many tokens fit below the limit. A request larger than the limit fits when no other request counts any more. */
  private roomAt(tokens: number, limit: number, now: number): number {
    let used = this.starts.reduce((sum, start) => sum + start.tokens, 0);
    let at = now;
    for (const start of this.starts) {
      if (used === 0 || used + tokens <= limit) break;
      used -= start.tokens;
      at = start.at + MINUTE_MS;
    }
    return at;
  }

  get hasWaiting(): boolean {
    return this.waiting.size > 0;
  }

  private firstWaiting(counts = ({ admit }: WaitingTicket): boolean => admit !== null): WaitingTicket | null {
    let first: WaitingTicket | null = null;
    for (const waiting of this.waiting.values()) {
      if (counts(waiting) && (!first || this.isBefore(waiting, first))) first = waiting;
    }
    return first;
  }

  private isBefore(left: WaitingTicket, right: WaitingTicket): boolean {
    const turns = ({ ticket, arrived }: WaitingTicket) => [
      Math.max(arrived, this.tenantTurns.get(ticket.tenant) ?? 0),
      Math.max(arrived, this.runTurns.get(ticket.run) ?? 0),
      arrived,
    ];
    const [leftTurns, rightTurns] = [turns(left), turns(right)];
    const differs = leftTurns.findIndex((turn, at) => turn !== rightTurns[at]);
    return leftTurns[differs]! < rightTurns[differs]!;
  }

  private recordTurn({ tenant, run }: Ticket): void {
    const turn = ++this.sequence;
    // Turns before the arrival of all waiting tickets no longer affect the order. The maps hold the oldest turns first.
    const oldest = Math.min(turn, ...[...this.waiting.values()].map(({ arrived }) => arrived));
    for (const [turns, key] of [
      [this.tenantTurns, tenant],
      [this.runTurns, run],
    ] as const) {
      turns.delete(key);
      turns.set(key, turn);
      for (const [old, at] of turns) {
        if (at >= oldest) break;
        turns.delete(old);
      }
    }
  }

  private removeExpired(now: number): void {
    for (const [id, { until }] of this.leases) if (until <= now) this.leases.delete(id);
    for (const [id, { admit, left_at }] of this.waiting)
      if (!admit && left_at + PLACE_KEPT_MS <= now) this.waiting.delete(id);
    const current = this.starts.findIndex(({ at }) => at + MINUTE_MS > now);
    this.starts = current === -1 ? [] : this.starts.slice(current);
  }
}
