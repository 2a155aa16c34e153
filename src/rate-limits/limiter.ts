import { DurableObject } from "cloudflare:workers";
import type { Env } from "../env";
import { FixedWindow, type Quota, type Standing } from "./window";

/**
 * Counts the requests of one subject, which its name says: a key, an interaction, an address. It stores nothing: should the platform
 * move it, a window begins anew, which errs on the side of the caller.
 */
export class RateLimiter extends DurableObject<Env> {
  private readonly window = new FixedWindow();
  private keeping: ReturnType<typeof setTimeout> | undefined;

  take(quota: Quota): Standing {
    const standing = this.window.take(quota, Date.now());
    // An idle object leaves memory after ten seconds, unless a timer is pending: it must outlast its window.
    clearTimeout(this.keeping);
    this.keeping = setTimeout(() => {}, standing.resets_in_ms);
    return standing;
  }
}
