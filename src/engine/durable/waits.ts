import type { WorkflowStep } from "cloudflare:workers";
import { PlatformError } from "../instance/control";

/** The longest wait that the platform knows; expiry is the keeper's (law 4). */
const FOREVER = "365 days";

/**
 * A run's waits for events. There is one for each type, for as long as this object lives: an interaction settles once, a resume
 * comes once, and a replay then issues the same waits as the life before.
 */
export class Waits {
  private readonly standing = new Map<string, Promise<unknown>>();

  constructor(private readonly step: WorkflowStep) {}

  /**
   * A wait that the platform ends by its own timeout (it knows none longer than a year) counts as a wake-up: the stage looks at
   * D1, and waits on.
   */
  until(type: string, year = 1): Promise<unknown> {
    const standing = this.standing.get(type);
    if (standing) return standing;
    const name = year === 1 ? `wait ${type}` : `wait ${type}~${year}`;
    const wait = onPlatform(this.step.waitForEvent(name, { type, timeout: FOREVER })).catch((error: PlatformError) => {
      if (!/timed? ?out/i.test(error.message)) throw error;
      this.standing.delete(type);
      return this.until(type, year + 1);
    });
    wait.catch(() => {}); // seen by whoever awaits it
    this.standing.set(type, wait);
    return wait;
  }
}

/** What the platform throws is told apart from what we throw. */
export async function onPlatform<T>(promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    throw new PlatformError(error);
  }
}
