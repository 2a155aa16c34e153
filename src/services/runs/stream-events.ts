import type { Owner } from "#core/owner";
import type { Services } from "../services";
import type { RunRow } from "#store/rows";
import { TERMINAL_EVENTS, TERMINAL_STATUSES } from "#core/vocabulary";
import type { PresentedEvent } from "./event-schema";
import { findRun } from "./find-run";
import { presentEvent } from "./list-events";

/** Pace of a stream. It polls D1 often while events come, and less often while none do. */
export const PACE = {
  heartbeat_every_ms: 15_000,
  longest_stream_ms: 10 * 60_000,
  shortest_delay_ms: 50,
  longest_delay_ms: 1500,
};
/** A request may make 1,000 calls to D1; the rest is for heartbeats, which read the run. */
const MOST_POLLS = 900;
const BATCH = 100;

/** An event, a heartbeat, or the advice to reconnect, because the stream ends before the run does. */
export type StreamItem = { is: "event"; event: PresentedEvent } | { is: "heartbeat" } | { is: "reconnect" };

interface StreamRequest {
  owner: Owner;
  run: string;
  /** `seq` of the event to continue behind. */
  after: number;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
  pace?: typeof PACE;
}

/**
 * The events of a run, past and future, until it has ended or is deleted. An unknown run throws before the stream begins.
 * @throws Problem `not_found`
 */
export async function streamEvents(services: Services, request: StreamRequest): Promise<AsyncGenerator<StreamItem>> {
  return follow(services, await findRun(services, request.owner, request.run), request);
}

async function* follow(
  { store }: Services,
  run: RunRow,
  { after, signal, pace = PACE }: StreamRequest,
): AsyncGenerator<StreamItem> {
  const startedAt = Date.now();
  let lastSentAt = startedAt;
  let delay = pace.shortest_delay_ms;
  let ended = hasEnded(run);
  for (let polls = 0; !signal.aborted; polls++) {
    const rows = await store.events.after(run.id, after, BATCH);
    for (const row of rows) {
      yield { is: "event", event: presentEvent(row) };
      after = row.seq;
      ended = isTerminal(row.type);
    }
    const now = Date.now();
    if (rows.length) {
      lastSentAt = now;
      delay = pace.shortest_delay_ms;
      if (rows.length === BATCH || ended) continue; // a retry may have written more events after the end
    } else if (ended) return;
    if (now - startedAt > pace.longest_stream_ms || polls > MOST_POLLS) return yield { is: "reconnect" };
    if (now - lastSentAt > pace.heartbeat_every_ms) {
      const current = await store.runs.get(run, run.id);
      if (!current) return;
      ended = hasEnded(current);
      yield { is: "heartbeat" };
      lastSentAt = now;
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
