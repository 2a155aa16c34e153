import type { LiveCall } from "#core/live-call";
import { Problem } from "#core/errors";
import { log } from "#core/log";
import { sleep } from "#core/retry";
import { endOf, has, type KeyRow } from "../keys/authenticate";
import type { Services } from "../services";
import type { RunRow } from "#store/rows";
import { TERMINAL_EVENTS, TERMINAL_STATUSES } from "#core/vocabulary";
import { findRun } from "./runs";
import { BATCH, type EncodedEvent, type FeedUpdate, type FeedPosition } from "../run-feed";
import { encodeEvent } from "../fields/present-event";
import { closeStream, openStream, renewStream, type StreamLease } from "./stream-leases";

/** Pace of a stream. */
export const STREAM_TIMING = {
  heartbeat_every_ms: 15_000,
  longest_stream_ms: 10 * 60_000,
  /** Until a stream asks its feed again after the feed has failed. */
  feed_retry_ms: 1000,
};
/**
 * Until a stream that has sent the end of its run asks for more and closes. Without this pause, a hundred listeners' last requests to D1 come before
 * the bytes of the last events leave the process: clients got these after 150 ms in place of 45. Milliseconds.
 */
const FLUSH_MS = 20;
/** A request may make 1,000 calls to the platform; the rest is for checks of the key, and for heartbeats, which read the run. */
const MAX_WAITS = 800;

/**
 * Events in order, one at least; the calls to models that are under way, which nothing stores; a heartbeat; the advice to reconnect, because the stream ends before the run does; or why the stream ends for good: its key is no
 * longer valid.
 */
export type StreamItem =
  | { is: "events"; events: EncodedEvent[] }
  | { is: "calls"; calls: LiveCall[] }
  | { is: "heartbeat" }
  | { is: "reconnect" }
  | { is: "closed"; because: Problem };

interface StreamRequest {
  key: KeyRow;
  run: string;
  /** `seq` of the event to continue behind. */
  after: number;
  /** Whether the stream also carries the calls to models that are under way. */
  withCalls?: boolean;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
  pace?: typeof STREAM_TIMING;
}

/**
 * The events of a run, past and future, until it has ended or is deleted, or the key has ended. An unknown run, and a stream too many, throw
 * before the stream begins.
 * @throws Problem `not_found`, `too_many_streams`, `quota_exceeded`
 */
export async function streamEvents(services: Services, request: StreamRequest): Promise<AsyncGenerator<StreamItem>> {
  const { key, pace = STREAM_TIMING } = request;
  const run = await findRun(services, key, request.run);
  const lease = await openStream(services, key, run.id, pace.heartbeat_every_ms);
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
  { key, after, withCalls = false, signal, pace = STREAM_TIMING }: StreamRequest,
): AsyncGenerator<StreamItem> {
  const left = aborted(signal);
  const startedAt = Date.now();
  let checkedAt = startedAt;
  let lastSentAt = startedAt;
  let calls = withCalls ? 0 : null;
  let ended = hasEnded(run);
  for (let waits = 0; !signal.aborted; waits++) {
    if (Date.now() - checkedAt > pace.heartbeat_every_ms) {
      const because = await endOfRight(services, key);
      if (because) return yield { is: "closed", because };
      await renewStream(services, lease, pace.heartbeat_every_ms);
      checkedAt = Date.now();
    }
    const position = { after, calls };
    const news = ended
      ? { events: (await services.store.events.after(run.id, after, BATCH)).map(encodeEvent), calls: null }
      : await nextUpdate(services, run, position, {
          wait_ms: checkedAt + pace.heartbeat_every_ms - Date.now(),
          left,
          pace,
        });
    const last = news.events.at(-1);
    if (last) {
      yield { is: "events", events: news.events };
      after = last.seq;
      ended = isTerminal(last.type);
      if (ended) await sleep(FLUSH_MS);
    }
    if (news.calls) {
      calls = news.calls.version;
      yield { is: "calls", calls: news.calls.calls };
    }
    const now = Date.now();
    if (ended && !last) return; // after the event of the end, a retry may have written more
    if (now - startedAt > pace.longest_stream_ms || waits > MAX_WAITS) return yield { is: "reconnect" };
    if (last) {
      lastSentAt = now;
      continue;
    }
    if (now - lastSentAt > pace.heartbeat_every_ms) {
      const current = await services.store.runs.get(run, run.id);
      if (!current) return;
      ended = hasEnded(current);
      yield { is: "heartbeat" };
      lastSentAt = now;
    }
  }
}

/**
 * What is new in the run's feed; nothing when the wait is over, the client has left, or the feed has failed.
 * @param left settles when the client disconnects
 */
async function nextUpdate(
  { platform }: Services,
  { id }: RunRow,
  position: FeedPosition,
  { wait_ms, left, pace }: { wait_ms: number; left: Promise<void>; pace: typeof STREAM_TIMING },
): Promise<FeedUpdate> {
  try {
    return await Promise.race([platform.nextUpdate(id, position, Math.max(0, wait_ms)), left.then(() => NOTHING)]);
  } catch (error) {
    log.warn("the feed of a run failed; its stream asks again", { run_id: id, error });
    await Promise.race([sleep(pace.feed_retry_ms), left]);
    return NOTHING;
  }
}

const NOTHING: FeedUpdate = { events: [], calls: null };

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

/** Resolves when the signal is aborted. */
const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
