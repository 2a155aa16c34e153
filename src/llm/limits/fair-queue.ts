import type { ProviderLimits } from "../index";

/** A wish to make one request. */
export interface Ticket {
  /** Names run, epoch and act: whoever asks again by the same id was cut off, and takes the place of who asked before. */
  id: string;
  tenant: string;
  run: string;
  /** How long the request may last, in milliseconds: a permit that nobody gives back ends by itself. */
  lease_ms: number;
  /** The most that the request is expected to use. */
  tokens: number;
}

/** A request that began within the last minute. */
export interface RequestStart {
  /** Its permit. */
  permit: string;
  at: number;
  /** What it used; until that is known, what it was expected to use. */
  tokens: number;
}

/** A permit that was given and not given back yet. */
export interface Lease {
  id: string;
  /** Tells this permit from one that was given for the same ticket later. */
  permit: string;
  until: number;
}

/** A permit that is given just now. */
export type GrantedPermit = Lease & Pick<Ticket, "tokens">;

interface WaitingTicket {
  ticket: Ticket;
  /** Its place among all that happened at this gate. */
  arrived: number;
  /** null while nobody listens: the place is kept for a while, and passed over. */
  admit: ((permit: string | null) => void) | null;
  left_at: number;
}

const MINUTE_MS = 60_000;
/** For so long the place of one who left is kept: it may come back after looking whether its run goes on. */
const PLACE_KEPT_MS = 60_000;
/** Who has only looked after its run is back by then: until then nobody spends the tokens that were saved up for it. */
const RETURN_MS = 2000;

/**
 * Who may ask a provider next: first come, first served, except that whoever was served goes behind those who came before that. A run
 * with many branches so gets one turn at a time among runs, and a tenant with many runs one at a time among tenants.
 */
export class FairQueue {
  private readonly leases = new Map<string, Lease>();
  private readonly waiting = new Map<string, WaitingTicket>();
  private readonly tenantTurns = new Map<string, number>();
  private readonly runTurns = new Map<string, number>();
  private sequence = 0;

  /**
   * @param starts when requests began within the last minute, oldest first
   * @param closed_until nobody is admitted before
   */
  constructor(
    leases: readonly Lease[] = [],
    private starts: RequestStart[] = [],
    private closed_until = 0,
  ) {
    for (const lease of leases) this.leases.set(lease.id, lease);
  }

  /** @param admit called once: with the permit when it is this ticket's turn, or with null when another has taken its place */
  join(ticket: Ticket, admit: (permit: string | null) => void): void {
    this.leases.delete(ticket.id);
    const before = this.waiting.get(ticket.id);
    before?.admit?.(null);
    this.waiting.set(ticket.id, { ticket, arrived: before?.arrived ?? ++this.sequence, admit, left_at: 0 });
  }

  /** Stops listening for a turn. False when that came too late, or another has taken the place. */
  leave(id: string, admit: (permit: string | null) => void, now: number): boolean {
    const waiting = this.waiting.get(id);
    if (waiting?.admit !== admit) return false;
    Object.assign(waiting, { admit: null, left_at: now });
    return true;
  }

  /** Admits those whose turn it is, as far as the limits allow. */
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

  /** Gives a permit back; false when it has ended already. */
  release(id: string, permit: string): boolean {
    return this.leases.get(id)?.permit === permit && this.leases.delete(id);
  }

  /** Takes what a request has used for what it was expected to use. */
  settle(permit: string, tokens: number): void {
    const start = this.starts.find((one) => one.permit === permit);
    if (start) start.tokens = tokens;
  }

  /** Admits nobody before `until`. */
  close(until: number): void {
    this.closed_until = Math.max(this.closed_until, until);
  }

  /** When the next may be admitted, so far as time alone decides; `now` or before: at once. */
  opensAt({ max_concurrency, requests_per_minute, tokens_per_minute }: ProviderLimits, now: number): number {
    const full = max_concurrency !== null && this.leases.size >= max_concurrency;
    const free = full ? Math.min(...[...this.leases.values()].map(({ until }) => until)) : now;
    const last = requests_per_minute === null ? undefined : this.starts.at(-requests_per_minute);
    const afterRequests = last === undefined ? now : last.at + MINUTE_MS;
    return Math.max(this.closed_until, free, afterRequests, this.affordableAt(tokens_per_minute, now));
  }

  /**
   * When what the next request may use fits below the limit, beside what one that stands before it and is away for a moment may use: a
   * large request would otherwise never find room, where small ones take what is there each time that it looks after its run.
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

  /** When so many tokens fit below the limit; what never does goes when no other request counts any more. */
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
    for (const one of this.waiting.values()) {
      if (counts(one) && (!first || this.isBefore(one, first))) first = one;
    }
    return first;
  }

  private isBefore(one: WaitingTicket, other: WaitingTicket): boolean {
    const turns = ({ ticket, arrived }: WaitingTicket) => [
      Math.max(arrived, this.tenantTurns.get(ticket.tenant) ?? 0),
      Math.max(arrived, this.runTurns.get(ticket.run) ?? 0),
      arrived,
    ];
    const [mine, its] = [turns(one), turns(other)];
    const differs = mine.findIndex((turn, at) => turn !== its[at]);
    return mine[differs]! < its[differs]!;
  }

  private recordTurn({ tenant, run }: Ticket): void {
    const turn = ++this.sequence;
    // What was served before anyone who waits had come makes no difference any more. The oldest turns stand first.
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
