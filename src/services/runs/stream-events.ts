import type { Services } from "../services";
import type { RunRow } from "#store/rows";
import { TERMINAL_EVENTS, TERMINAL_STATUSES } from "#core/vocabulary";
import { findRun } from "./find-run";
import { presentEvent } from "./list-events";
import type { PresentedEvent } from "./event-schema";

/** How a stream spends its time. Looks into D1 follow each other closely while a run is busy, and further apart while nothing happens. */
export const PACE = {
  heartbeat_every_ms: 15_000,
  longest_stream_ms: 10 * 60_000,
  shortest_delay_ms: 50,
  longest_delay_ms: 1500,
};
/** A request may make 1,000 calls to D1; the rest is for heartbeats, which look at the run. */
const MOST_LOOKS = 900;
const AT_ONCE = 100;

/** What a stream says: an event, a sign of life, or that it ends before the run does and should be taken up again. */
export type StreamItem = { is: "event"; event: PresentedEvent } | { is: "heartbeat" } | { is: "reconnect" };

/**
 * The events of a run behind `after`, those to come too, until it has ended or is deleted. The run is looked up at once, so that
 * an unknown one throws before the stream begins.
 * @param signal aborted when nobody listens any more
 * @throws Problem `not_found`
 */
export async function streamEvents(
  services: Services,
  tenant: string,
  id: string,
  after: number,
  signal: AbortSignal,
  pace = PACE,
): Promise<AsyncGenerator<StreamItem>> {
  return follow(services, await findRun(services, tenant, id), after, signal, pace);
}

async function* follow(
  { store }: Services,
  run: RunRow,
  after: number,
  signal: AbortSignal,
  pace: typeof PACE,
): AsyncGenerator<StreamItem> {
  const startedAt = Date.now();
  let heardAt = startedAt;
  let delay = pace.shortest_delay_ms;
  let ended = hasEnded(run);
  for (let looks = 0; !signal.aborted; looks++) {
    const rows = await store.events.after(run.id, after, AT_ONCE);
    for (const row of rows) {
      yield { is: "event", event: presentEvent(row) };
      after = row.seq;
      ended = isTerminal(row.type);
    }
    const now = Date.now();
    if (rows.length) {
      heardAt = now;
      delay = pace.shortest_delay_ms;
      if (rows.length === AT_ONCE || ended) continue; // a retry may have written more behind the end
    } else if (ended) return;
    if (now - startedAt > pace.longest_stream_ms || looks > MOST_LOOKS) return yield { is: "reconnect" };
    if (now - heardAt > pace.heartbeat_every_ms) {
      const current = await store.runs.get(run.tenant_id, run.id);
      if (!current) return;
      ended = hasEnded(current);
      yield { is: "heartbeat" };
      heardAt = now;
    }
    await pause(delay, signal);
    delay = Math.min(delay * 1.5, pace.longest_delay_ms);
  }
}

const hasEnded = (run: RunRow) => (TERMINAL_STATUSES as readonly string[]).includes(run.status);
const isTerminal = (type: string) => (TERMINAL_EVENTS as readonly string[]).includes(type);

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
  });
