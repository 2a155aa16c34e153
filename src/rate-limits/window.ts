/** So many requests in so long. */
export interface Quota {
  limit: number;
  window_ms: number;
}

/** Where a subject stands after a request of its was counted. */
export interface Standing {
  allowed: boolean;
  /** What is left until the window ends. */
  remaining: number;
  resets_in_ms: number;
}

/** Counts in windows that begin with the first request after the one before has ended. What is refused is not counted. */
export class FixedWindow {
  private used = 0;
  private endsAt = 0;

  take({ limit, window_ms }: Quota, now: number): Standing {
    if (now >= this.endsAt) {
      this.used = 0;
      this.endsAt = now + window_ms;
    }
    const allowed = this.used < limit;
    if (allowed) this.used++;
    return { allowed, remaining: Math.max(0, limit - this.used), resets_in_ms: this.endsAt - now };
  }
}
