/** The clock of days has been set forward, or the machine has slept, when it is ahead of the clock of the process by more. Milliseconds. */
const CLOCK_JUMP_MS = 60_000;

/**
 * Measures the time in which all of a run's model requests wait for a permit, and jumps of the clock, in which nothing ran: the run's timeout counts
 * neither. Each heartbeat adds it to D1; what no heartbeat has reported is lost with the instance. Milliseconds.
 */
export function queueTime() {
  const underWay = { requests: 0, waits: 0 };
  let changedAt = 0;
  /** Measured up to `changedAt`. */
  let measured = 0;
  /** Of earlier instances. */
  let earlier = 0;
  let reported = 0;

  let jumps = 0;
  /** How far the clock of days is ahead of that of the process. */
  let ahead = Date.now() - performance.now();

  const allWait = () => underWay.waits > 0 && underWay.waits >= underWay.requests;

  /** A jump while all requests wait is a part of their wait. */
  function noteJump(): void {
    const before = ahead;
    ahead = Date.now() - performance.now();
    if (ahead - before > CLOCK_JUMP_MS && !allWait()) jumps += Math.round(ahead - before);
  }

  const waited = (): number => measured + (allWait() ? Date.now() - changedAt : 0);

  const own = (): number => {
    noteJump();
    return waited() + jumps;
  };

  function count(state: keyof typeof underWay, change: 1 | -1): void {
    noteJump();
    measured = waited();
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

    /** Takes over the time that D1 held when a stage was entered: it has the time since the last heartbeat, and so a jump in it. */
    restore(stored: number): void {
      ahead = Date.now() - performance.now();
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
