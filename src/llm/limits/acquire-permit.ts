import type { RequestOutcome, GatedProvider, Permit, ProviderLimits } from "..";
import { log } from "#core/log";
import { withRetry } from "#core/retry";
import type { Ticket } from "./fair-queue";

/** The gates of providers, as those who ask reach them: one for each, shared by all runs and corpora. */
export interface ProviderGates {
  /** Waits for the ticket's turn, for `wait_ms` at most. null: still in the queue, where its place is kept. */
  acquire(provider: string, limits: ProviderLimits, ticket: Ticket, wait_ms: number): Promise<string | null>;
  release(provider: string, id: string, permit: string, how: RequestOutcome): Promise<void>;
}

/** Between looks whether whoever waits still wants to. */
const WAIT_MS = 15_000;
/** Who waited for longer looks once more before asking the model. */
const SHORT_WAIT_MS = 1000;
/** A request that does not end by its own timeout is taken to have ended after this much more. */
const GRACE_MS = 10_000;
/** A provider that asks for more is not waited for; each act finds that out by itself. */
const LONGEST_CLOSURE_MS = 60 * 60_000;

/**
 * Queues for leave to make one request. Queueing uses up no attempt, and no step of a run grows with it: `assertMayGoOn` ends a stay
 * that has become long, and who comes back within a minute finds its place in the queue.
 * @param assertMayGoOn throws when whoever waits must stop: a run that was canceled or paused, a search that has waited for too long;
 *   `quiet` is how long nothing more will be heard, in milliseconds
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
  const given = permit;
  if (Date.now() - since > SHORT_WAIT_MS) {
    try {
      await assertMayGoOn(0);
    } catch (reason) {
      await leave(given, { closed_for_ms: 0, tokens: 0 });
      throw reason;
    }
  }
  return { release: (how) => void leave(given, how) };

  function acquire(wait_ms: number): Promise<string | null> {
    const lasting = { ...ticket, lease_ms: ticket.lease_ms + GRACE_MS };
    return withRetry(() => gates.acquire(provider, limits, lasting, wait_ms));
  }

  /** A release that is lost is made good by the end of the lease. */
  function leave(what: string, { closed_for_ms, tokens }: RequestOutcome): Promise<void> {
    const closed = closed_for_ms > LONGEST_CLOSURE_MS ? 0 : closed_for_ms;
    return gates.release(provider, ticket.id, what, { closed_for_ms: closed, tokens }).catch((error: unknown) => {
      log.warn("a permit was not given back", { provider, error });
    });
  }
}
