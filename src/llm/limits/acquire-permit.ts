import type { RequestOutcome, GatedProvider, Permit, ProviderLimits } from "..";
import { log } from "#core/log";
import { withRetry } from "#core/retry";
import type { Ticket } from "./fair-queue";

/** The rate limiters of providers: one per provider, shared by all runs and corpora. */
export interface ProviderGates {
  /** Waits at most `wait_ms` for the ticket's turn. Resolves to the permit, or to null: the ticket keeps its place in the queue. */
  acquire(provider: string, limits: ProviderLimits, ticket: Ticket, wait_ms: number): Promise<string | null>;
  release(provider: string, id: string, permit: string, outcome: RequestOutcome): Promise<void>;
  /** Returns all permits whose tickets' ids begin with `prefix`: their holders are gone. */
  releaseAll(provider: string, prefix: string): Promise<void>;
}

/** Interval between checks whether the caller may still wait. */
const WAIT_MS = 15_000;
/** A caller that waited longer than this checks once more before its request. */
const SHORT_WAIT_MS = 1000;
/** Added to the lease: a request that outlives its timeout by this much counts as ended. */
const GRACE_MS = 10_000;
/** How long a permit is lent at most. @param timeout_ms of the request */
export const leaseOf = (timeout_ms: number): number => timeout_ms + GRACE_MS;
/** A provider that asks for a longer pause is not closed; each step then meets its 429. */
const MAX_CLOSURE_MS = 60 * 60_000;

/**
 * Waits for a permit to make one request. Waiting uses up no attempt and does not lengthen a step of a run: `assertMayGoOn` ends a wait
 * that has become long, and a caller that returns within a minute keeps its place in the queue.
 * @param assertMayGoOn throws when the caller must stop: its run was canceled or paused, its search has waited too long;
 *   `quiet` is for how many milliseconds it will not be called again
 */
export async function acquirePermit(
  gates: ProviderGates,
  { provider, limits }: GatedProvider,
  ticket: Ticket,
  assertMayGoOn: (quiet: number) => Promise<void>,
): Promise<Permit> {
  const since = Date.now();
  let permit = await acquire(0);
  while (permit === null) {
    await assertMayGoOn(WAIT_MS);
    permit = await acquire(WAIT_MS);
  }
  const granted = permit;
  if (Date.now() - since > SHORT_WAIT_MS) {
    try {
      await assertMayGoOn(0);
    } catch (reason) {
      await release({ closed_for_ms: 0, tokens: 0 });
      throw reason;
    }
  }
  return { release: (outcome) => void release(outcome) };

  function acquire(wait_ms: number): Promise<string | null> {
    const extended = { ...ticket, lease_ms: leaseOf(ticket.lease_ms) };
    return withRetry(() => gates.acquire(provider, limits, extended, wait_ms));
  }

  /** Never rejects: a permit whose release is lost expires with its lease. */
  function release({ closed_for_ms, tokens }: RequestOutcome): Promise<void> {
    const closed = closed_for_ms > MAX_CLOSURE_MS ? 0 : closed_for_ms;
    const outcome = { closed_for_ms: closed, tokens };
    return withRetry(() => gates.release(provider, ticket.id, granted, outcome)).catch((error: unknown) => {
      log.warn("a permit could not be released", { provider, error });
    });
  }
}
