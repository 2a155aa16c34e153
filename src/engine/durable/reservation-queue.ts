/**
 * The acts of a visit to a stage that hold reservations in the run's budget. A reservation bounds a call from above, so parallel acts
 * together may reserve far more than they use: one that does not fit waits while another act can still give something back.
 */
export class ReservationQueue {
  /** Acts whose reservation may still shrink: with a request under way, or with an answer that is not yet committed. */
  private readonly holders = new Set<string>();
  private waiting = 0;
  private changed = Promise.withResolvers<void>();

  get hasWaiters(): boolean {
    return this.waiting > 0;
  }

  /**
   * Reserves for an act. While that is refused, waits for other acts to give back.
   * @param attempt tries to reserve; on a refusal it gives back what the act itself does not need any more
   * @returns `exceeded` when no other act has anything to give back
   */
  async reserve<T>(act: string, attempt: () => Promise<T | "exceeded">): Promise<T | "exceeded"> {
    for (;;) {
      const { promise: changed } = this.changed; // before the attempt: a change during it must not be missed
      const answer = await attempt();
      if (answer !== "exceeded") {
        this.holders.add(act);
        return answer;
      }
      this.release(act);
      if (this.holders.size === 0) return answer;
      this.waiting++;
      await changed.finally(() => this.waiting--);
    }
  }

  /** The act has given back what it could. */
  release(act: string): void {
    if (!this.holders.delete(act)) return;
    this.changed.resolve();
    this.changed = Promise.withResolvers();
  }
}
