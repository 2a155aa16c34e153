import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { type LiveCall, type Event, useParley } from "../parley.ts";

export interface RunFeed {
  events: Event[];
  /** Calls to models that are under way: the server's memory, not stored. null: none was reported yet. */
  calls: LiveCall[] | null;
}

/** Pause before a feed that gave up is opened again. Milliseconds. */
const REOPEN_DELAY_MS = 2000;
/** How long events are gathered before they are shown and the run is read again. Milliseconds. */
const BATCH_MS = 150;

const EMPTY: RunFeed = { events: [], calls: null };

/**
 * Follows a run: each event once and in order, from the first. After a break it continues behind the last event, for as long as the page is open.
 * Its queries are read again when events arrive.
 * @param endedAt when the run has ended, null before; another time is the end of another life, begun by a retry, whose events are read too
 */
export function useRunFeed(id: string, endedAt: string | null): RunFeed {
  const parley = useParley();
  const queries = useQueryClient();
  const [feed, setFeed] = useState(EMPTY);
  const read = useRef({ id, seq: 0 });
  useEffect(() => {
    if (read.current.id !== id) {
      read.current = { id, seq: 0 };
      setFeed(EMPTY);
    }
    const stop = new AbortController();
    let fresh: Event[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const flush = async () => {
      const arrived = fresh;
      fresh = [];
      setFeed((before) => ({ ...before, events: [...before.events, ...arrived] }));
      await queries.invalidateQueries({ queryKey: ["run", id] });
      timer = fresh.length > 0 && !stop.signal.aborted ? setTimeout(flush, BATCH_MS) : undefined;
    };
    const follow = async () => {
      const onCalls = (calls: LiveCall[]) => setFeed((before) => ({ ...before, calls }));
      for await (const event of parley.runs.events(id, { after: read.current.seq, onCalls, signal: stop.signal })) {
        if (stop.signal.aborted) return;
        read.current.seq = event.seq;
        fresh.push(event);
        timer ??= setTimeout(flush, BATCH_MS);
      }
      setFeed((before) => ({ ...before, calls: null }));
    };
    const keepFollowing = async () => {
      while (!stop.signal.aborted) {
        try {
          return await follow();
        } catch {
          if (stop.signal.aborted) return;
          setFeed((before) => ({ ...before, calls: null }));
          await new Promise((resolve) => setTimeout(resolve, REOPEN_DELAY_MS));
        }
      }
    };
    void keepFollowing();
    return () => {
      stop.abort();
      clearTimeout(timer);
      if (fresh.length > 0) void flush();
    };
  }, [id, endedAt, parley, queries]);
  return feed;
}
