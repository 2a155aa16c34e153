/**
 * Measures the time in which all of a run's model requests wait for a permit: the run's timeout does not count it. Each heartbeat adds it to D1;
 * what no heartbeat has reported is lost with the instance. Milliseconds.
 */
export function queueTime() {
  const underWay = { requests: 0, waits: 0 };
  let changedAt = 0;
  /** Measured up to `changedAt`. */
  let measured = 0;
  /** Of earlier instances. */
  let earlier = 0;
  let reported = 0;

  const own = (): number => {
    const allWait = underWay.waits > 0 && underWay.waits >= underWay.requests;
    return measured + (allWait ? Date.now() - changedAt : 0);
  };

  function count(state: keyof typeof underWay, change: 1 | -1): void {
    measured = own();
    changedAt = Date.now();
    underWay[state] += change;
  }

  async function during<T>(state: keyof typeof underWay, work: () => Promise<T>): Promise<T> {
    count(state, 1);
    try {
      return await work();
    } finally {
      count(state, -1);
    }
  }

  return {
    get ms(): number {
      return earlier + own();
    },

    /** Runs a step's request to a model, with all its attempts. */
    duringRequest: <T>(work: () => Promise<T>): Promise<T> => during("requests", work),

    /** Runs the part of a request that waits for a permit. */
    duringWait: <T>(wait: () => Promise<T>): Promise<T> => during("waits", wait),

    /** Takes over the time that D1 held when a stage was entered. */
    restore(stored: number): void {
      earlier = stored - reported;
    },

    /** The time that is not in D1 yet. The caller must write it there: the next call does not return it again. */
    takeUnreported(): number {
      const ms = own() - reported;
      reported += ms;
      return ms;
    },
  };
}
