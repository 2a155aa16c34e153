import { DurableObject } from "cloudflare:workers";
import { log } from "#core/log";
import { nextExpiry } from "#services/maintenance/next-expiry";
import { sweep } from "#services/maintenance/sweep";
import { startDue } from "#services/schedules/start-due";
import { composeMaintenance, composeServices } from "./compose";

/** A caller arms the keeper just before it writes a row: the alarm stays on for this long even if a sweep finds no work. Milliseconds. */
const GRACE_MS = 60_000;

/**
 * Repairs what a crash interrupted (law 4): one Durable Object with an alarm, which survives a kill and fires before any request. It
 * sleeps while no run is alive, until the next stored row expires; `arm` wakes it.
 */
export class Keeper extends DurableObject<Env> {
  private services = composeMaintenance(this.env);
  private readonly interval = this.services.settings.keeper_interval_ms;
  private armedAt = Date.now();
  private hasNudged = false;

  async arm(): Promise<void> {
    this.armedAt = Date.now();
    const next = await this.ctx.storage.getAlarm();
    if (next === null || next > Date.now() + this.interval) await this.setNext();
  }

  /** Never throws: the next alarm is set first, and each part of the round fails by itself. */
  override async alarm(): Promise<void> {
    const started_at = Date.now();
    const awake = await this.setNext();
    const { remaining, failed, nudged } = await sweep(this.services, {
      nudgeAll: !this.hasNudged,
      startDue: async (now) => startDue(composeServices(this.env), now),
    });
    this.hasNudged ||= nudged;
    try {
      const isIdle = remaining.length === 0 && failed.length === 0 && Date.now() - this.armedAt > GRACE_MS;
      const next_at = isIdle ? await this.sleep(awake) : awake;
      await this.services.store.maintenance.recordRound({
        started_at,
        ended_at: Date.now(),
        remaining,
        failed,
        next_at,
      });
    } catch (error) {
      log.error("the keeper's round was not recorded", { error });
    }
  }

  /** Sets the alarm to the next expiry, unless the keeper was armed meanwhile. @returns when the next round is due; null: when it is armed */
  private async sleep(awake: number): Promise<number | null> {
    const { armedAt } = this;
    const next = await nextExpiry(this.services);
    // Nothing may be awaited between this comparison and the change of the alarm.
    if (this.armedAt !== armedAt) return awake;
    if (next === null) {
      await this.ctx.storage.deleteAlarm();
      return null;
    }
    const at = Math.max(next, Date.now() + this.interval);
    await this.ctx.storage.setAlarm(at);
    return at;
  }

  private async setNext(): Promise<number> {
    const at = Date.now() + this.interval;
    await this.ctx.storage.setAlarm(at);
    return at;
  }
}
