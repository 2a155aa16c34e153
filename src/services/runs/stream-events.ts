import { Problem } from "#core/errors";
import { endOf, has, type KeyRow } from "../keys/authenticate";
import type { Services } from "../services";
import type { RunRow } from "#store/rows";
import { TERMINAL_EVENTS, TERMINAL_STATUSES } from "#core/vocabulary";
import type { PresentedEvent } from "./event-schema";
import { findRun } from "./find-run";
import { presentEvent } from "../fields/present-event";
import { closeStream, openStream, renewStream, type StreamLease } from "./stream-leases";

/** Pace of a stream. It polls D1 often while events come, and less often while none do. */
export const PACE = {
  heartbeat_every_ms: 15_000,
  longest_stream_ms: 10 * 60_000,
  shortest_delay_ms: 50,
  longest_delay_ms: 1500,
};
/** A request may make 1,000 calls to D1; the rest is for checks of the key, and for heartbeats, which read the run. */
const MOST_POLLS = 800;
const BATCH = 100;

/**
 * An event; a heartbeat; the advice to reconnect, because the stream ends before the run does; or why the stream ends for good: its key is no
 * longer valid.
 */
export type StreamItem =
  | { is: "event"; event: PresentedEvent }
  | { is: "heartbeat" }
  | { is: "reconnect" }
  | { is: "closed"; because: Problem };

interface StreamRequest {
  key: KeyRow;
  run: string;
  /** `seq` of the event to continue behind. */
  after: number;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
  pace?: typeof PACE;
}

/**
 * The events of a run, past and future, until it has ended or is deleted, or the key has ended. An unknown run, and a stream too many, throw
 * before the stream begins.
 * @throws Problem `not_found`, `too_many_streams`, `quota_exceeded`
 */
export async function streamEvents(services: Services, request: StreamRequest): Promise<AsyncGenerator<StreamItem>> {
  const { key, pace = PACE } = request;
  const run = await findRun(services, key, request.run);
  const lease = await openStream(services, key, pace.heartbeat_every_ms);
  return follow(services, { run, lease }, request);
}

async function* follow(
  services: Services,
  { run, lease }: { run: RunRow; lease: StreamLease },
  request: StreamRequest,
): AsyncGenerator<StreamItem> {
  try {
    yield* eventsUnderLease(services, { run, lease }, request);
  } finally {
    await closeStream(services, lease);
  }
}

async function* eventsUnderLease(
  services: Services,
  { run, lease }: { run: RunRow; lease: StreamLease },
  { key, after, signal, pace = PACE }: StreamRequest,
): AsyncGenerator<StreamItem> {
  const { store } = services;
  const startedAt = Date.now();
  let checkedAt = startedAt;
  let lastSentAt = startedAt;
  let delay = pace.shortest_delay_ms;
  let ended = hasEnded(run);
  for (let polls = 0; !signal.aborted; polls++) {
    if (Date.now() - checkedAt > pace.heartbeat_every_ms) {
      const because = await endOfRight(services, key);
      if (because) return yield { is: "closed", because };
      await renewStream(services, lease, pace.heartbeat_every_ms);
      checkedAt = Date.now();
    }
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

/** Why a key may no longer read the stream that it has opened; null while it may. */
async function endOfRight({ store }: Services, opener: KeyRow): Promise<Problem | null> {
  const { id } = opener;
  const key = await store.keys.get(opener, id);
  if (!key) return new Problem("unauthenticated", `There is no key ${id} any more.`);
  if (!has(key, "runs:read")) return new Problem("missing_scope", `The key ${id} has lost the scope runs:read.`);
  return endOf(key);
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
