import { DurableObject } from "cloudflare:workers";
import { nextExpiry } from "#services/maintenance/next-expiry";
import { sweep } from "#services/maintenance/sweep";
import { composeMaintenance } from "./compose";

/** A caller arms the keeper just before it writes a row: the alarm stays on for this long even if a sweep finds no work. Milliseconds. */
const GRACE_MS = 60_000;

/**
 * Repairs what a crash interrupted (law 4): one Durable Object with an alarm, which survives a kill and fires before any request. It
 * sleeps while no run is alive, until the next stored row expires; `arm` wakes it.
 */
export class Keeper extends DurableObject<Env> {
  private readonly services = composeMaintenance(this.env);
  private readonly interval = this.services.settings.keeper_interval_ms;
  private armedAt = Date.now();
  private hasSwept = false;

  async arm(): Promise<void> {
    this.armedAt = Date.now();
    const next = await this.ctx.storage.getAlarm();
    if (next === null || next > Date.now() + this.interval) await this.setNext();
  }

  override async alarm(): Promise<void> {
    await this.setNext(); // first, so that there is a next alarm whatever fails below
    const nudgeAll = !this.hasSwept;
    this.hasSwept = true;
    const busy = await sweep(this.services, { nudgeAll });
    if (!busy && Date.now() - this.armedAt > GRACE_MS) await this.sleep();
  }

  private async sleep(): Promise<void> {
    const next = await nextExpiry(this.services);
    if (next === null) await this.ctx.storage.deleteAlarm();
    else await this.ctx.storage.setAlarm(Math.max(next, Date.now() + this.interval));
  }

  private setNext(): Promise<void> {
    return this.ctx.storage.setAlarm(Date.now() + this.interval);
  }
}
