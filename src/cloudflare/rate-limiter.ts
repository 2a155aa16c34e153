import { DurableObject } from "cloudflare:workers";
import { type Admission, WINDOW } from "#services/platform";

/**
 * Counts the requests of one API key, to one callback URL, or from one address that guesses callback URLs, and webhooks to one host; its
 * name identifies which.
 * The count is only in memory: after a move or a crash it starts again.
 */
export class RateLimiter extends DurableObject {
  private begunAt = 0;
  private count = 0;

  /**
   * Counts a request unless it is over the limit.
   * @param limit requests per window
   * @param count 0: only says whether a request would be admitted
   */
  admit(limit: number, count: 0 | 1 = 1): Admission {
    const now = Date.now();
    if (now - this.begunAt >= WINDOW) {
      this.begunAt = now;
      this.count = 0;
    }
    const admitted = this.count < limit;
    if (admitted) this.count += count;
    return { admitted, remaining: limit - this.count, resets_in_ms: this.begunAt + WINDOW - now };
  }
}
