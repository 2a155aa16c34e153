import { patiently } from "./retry";
import type { Gate, Passage, ProviderLimits } from "../llm";
import type { Ticket } from "../provider-gates/turnstile";
import { log } from "../log";

/** The gates of providers, as a run reaches them: one for each, shared by all runs. */
export interface ProviderGates {
  /** Waits for the ticket's turn, for `wait_ms` at most. null: still in the queue, where its place is kept. */
  acquire(provider: string, limits: ProviderLimits, ticket: Ticket, wait_ms: number): Promise<string | null>;
  release(provider: string, id: string, permit: string, closed_for_ms: number): Promise<void>;
}

/** Between looks whether the run still goes on. */
const WAIT_MS = 15_000;
/** Who waited for longer looks once more before asking the model. */
const SHORT_WAIT_MS = 1000;
/** A request that does not end by its own timeout is taken to have ended after this much more. */
const GRACE_MS = 10_000;
/** A provider that asks for more is not waited for; each act finds that out by itself. */
const LONGEST_CLOSURE_MS = 60 * 60_000;

/**
 * Queues for leave to make one request. Queueing uses up no attempt, and no step grows with it: `assertMayGoOn` ends a stay that
 * has become long, and the stage is entered again at the same place in the queue.
 * @param assertMayGoOn throws when the run was canceled, paused, or must stop for another reason; `quiet` is how long nothing more
 *   will be heard of it, in milliseconds
 */
export async function awaitTurn(
  gates: ProviderGates,
  { provider, limits }: Gate,
  ticket: Ticket,
  assertMayGoOn: (quiet: number) => Promise<void>,
): Promise<Passage> {
  const since = Date.now();
  let turn = acquire(0);
  while ((await turn) === null) {
    turn = acquire(WAIT_MS);
    await look(WAIT_MS);
  }
  if (Date.now() - since > SHORT_WAIT_MS) await look(0);
  const permit = (await turn)!;
  return { leave: (closed_for_ms) => leave(permit, closed_for_ms) };

  /** When the run does not go on, the turn is given back, though it may be yet to come. */
  async function look(quiet: number): Promise<void> {
    try {
      await assertMayGoOn(quiet);
    } catch (reason) {
      turn.then(
        (late) => late !== null && leave(late, 0),
        () => {},
      );
      throw reason;
    }
  }

  function acquire(wait_ms: number): Promise<string | null> {
    const lasting = { ...ticket, lease_ms: ticket.lease_ms + GRACE_MS };
    return patiently(() => gates.acquire(provider, limits, lasting, wait_ms));
  }

  /** Nobody waits for this: a release that is lost is made good by the end of the lease. */
  function leave(given: string, closed_for_ms: number): void {
    const closed = closed_for_ms > LONGEST_CLOSURE_MS ? 0 : closed_for_ms;
    gates.release(provider, ticket.id, given, closed).catch((error: unknown) => {
      log.warn("a permit was not given back", { provider, error });
    });
  }
}
