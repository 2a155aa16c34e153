/**
 * The steps of a stage execution that hold reservations in the run's budget. A reservation bounds a call from above, so parallel steps together
 * may reserve far more than they use: one that does not fit waits while another step can still return a part of its own.
 */
export function reservationQueue() {
  /** Steps whose reservation may still shrink: their request is in flight, or their answer is not committed yet. */
  const holders = new Set<string>();
  let waiting = 0;
  let changed = Promise.withResolvers<void>();

  /** The step has returned what it could. */
  function release(step: string): void {
    if (!holders.delete(step)) return;
    changed.resolve();
    changed = Promise.withResolvers();
  }

  return {
    get hasWaiters(): boolean {
      return waiting > 0;
    },

    /**
     * Reserves for a step. While that is refused, waits for other steps to return a part of theirs.
     * @param attempt tries to reserve; on a refusal it returns what the step itself does not need any more
     * @returns `exceeded` when no other step has anything to return
     */
    async reserve<T>(step: string, attempt: () => Promise<T | "exceeded">): Promise<T | "exceeded"> {
      for (;;) {
        const { promise } = changed; // before the attempt: a change during it must not be missed
        const answer = await attempt();
        if (answer !== "exceeded") {
          holders.add(step);
          return answer;
        }
        release(step);
        if (holders.size === 0) return answer;
        waiting++;
        await promise.finally(() => waiting--);
      }
    },

    release,
  };
}
