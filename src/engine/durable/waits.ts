import type { WorkflowStep } from "cloudflare:workers";
import { PlatformError } from "../instance/control";

/** The platform's longest timeout; the keeper expires interactions (law 4). */
const LONGEST_TIMEOUT = "365 days";

/**
 * A run's waits for events, one for each type in the life of this object. An interaction settles once and a resume comes once, so a
 * replay issues the same waits.
 */
export class Waits {
  private readonly open = new Map<string, Promise<unknown>>();

  constructor(private readonly step: WorkflowStep) {}

  /** Waits for an event, however long that takes: after the platform's timeout of a year it waits again. */
  until(type: string, year = 1): Promise<unknown> {
    const open = this.open.get(type);
    if (open) return open;
    const name = year === 1 ? `wait ${type}` : `wait ${type}~${year}`;
    const wait = onPlatform(this.step.waitForEvent(name, { type, timeout: LONGEST_TIMEOUT })).catch(
      (error: PlatformError) => {
        if (!/timed? ?out/i.test(error.message)) throw error;
        this.open.delete(type);
        return this.until(type, year + 1);
      },
    );
    wait.catch(() => {}); // its callers await it
    this.open.set(type, wait);
    return wait;
  }
}

/** Awaits a call of the platform, and wraps its error. @throws PlatformError */
export async function onPlatform<T>(promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    throw new PlatformError(error);
  }
}
