import { DurableObject } from "cloudflare:workers";
import { type Admission, WINDOW } from "#services/platform";

/**
 * Counts the requests of one API key, to one callback URL, or of one address that guesses at such URLs; its name says whose. The window
 * is in memory alone: where it is lost, by a move or a crash, the count begins anew.
 */
export class RateLimiter extends DurableObject {
  private begunAt = 0;
  private count = 0;

  /** Counts one request. @param limit how many a window may have */
  admit(limit: number): Admission {
    const now = Date.now();
    if (now - this.begunAt >= WINDOW) {
      this.begunAt = now;
      this.count = 0;
    }
    const admitted = this.count < limit;
    if (admitted) this.count++;
    return { admitted, remaining: limit - this.count, resets_in_ms: this.begunAt + WINDOW - now };
  }
}
