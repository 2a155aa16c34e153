import type { LiveCall } from "#core/live-call";

/**
 * The model calls of a stage that are in flight, shown to the streams that follow the run. Nothing stores them: a lost report only delays the
 * display.
 * @param report shows the calls to the streams
 */
export function liveCalls(report: (calls: LiveCall[]) => void) {
  const calls = new Set<LiveCall>();
  let isFollowed = false;
  let isScheduled = false;

  /** Calls that start or end together make one report. */
  function scheduleReport(): void {
    if (!isFollowed || isScheduled) return;
    isScheduled = true;
    queueMicrotask(() => {
      isScheduled = false;
      report([...calls]);
    });
  }

  return {
    /** @param followed whether a stream follows the run now */
    observe(followed: boolean): void {
      const isNew = followed && !isFollowed;
      isFollowed = followed;
      if (isNew) scheduleReport();
    },

    /** Shows a call until it has ended. */
    async during<T>(call: Omit<LiveCall, "since">, make: () => Promise<T>): Promise<T> {
      const live = { ...call, since: Date.now() };
      calls.add(live);
      scheduleReport();
      try {
        return await make();
      } finally {
        calls.delete(live);
        scheduleReport();
      }
    },
  };
}
