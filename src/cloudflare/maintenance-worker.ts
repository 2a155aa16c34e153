import { DurableObject } from "cloudflare:workers";
import { log } from "#core/log";
import { nextExpiry } from "#services/maintenance/next-expiry";
import { type MaintenanceResult, sweep } from "#services/maintenance/sweep";
import type { Store } from "#store/store";
import { watchModels } from "#services/models/watch-models";
import { processMetrics } from "#services/telemetry/metrics";
import { startDue } from "#services/schedules/start-due";
import { maintenanceOfAll, servicesOfAll } from "./compose";

/** A caller arms the maintenance worker just before it writes a row: the alarm stays on for this long even if a sweep finds no work. Milliseconds. */
const GRACE_MS = 60_000;
/** How often the providers are asked for their models. Milliseconds. */
const MODEL_CHECK_MS = 24 * 60 * 60_000;

/**
 * Repairs what a crash interrupted (law 4): one Durable Object with an alarm, which survives a kill and fires before any request. It
 * sleeps while no run is alive, until the next stored row expires; `arm` wakes it.
 */
export class MaintenanceWorker extends DurableObject<Env> {
  /** Of each database. */
  private services = maintenanceOfAll(this.env);
  private readonly interval = this.services[0]!.settings.maintenance_interval_ms;
  private armedAt = Date.now();
  private hasNudged = false;
  private modelsWatchedAt = -Infinity;

  async arm(): Promise<void> {
    this.armedAt = Date.now();
    const next = await this.ctx.storage.getAlarm();
    if (next === null || next > Date.now() + this.interval) await this.setNext();
  }

  /** Never throws: the next alarm is set first, and each part of the pass fails by itself. */
  override async alarm(): Promise<void> {
    const started_at = Date.now();
    const awake = await this.setNext();
    this.watchModels(started_at);
    const passes = await this.sweepAll();
    processMetrics()?.maintenancePass(
      passes.flatMap(({ failed }) => failed),
      Date.now() - started_at,
    );
    this.hasNudged ||= passes.every(({ nudged }) => nudged);
    try {
      const isLeft = passes.some(({ remaining, failed }) => remaining.length > 0 || failed.length > 0);
      const isIdle = !isLeft && Date.now() - this.armedAt > GRACE_MS;
      const next_at = isIdle ? await this.sleep(awake) : awake;
      for (const { store, remaining, failed } of passes)
        await store.maintenance.recordPass({ started_at, ended_at: Date.now(), remaining, failed, next_at });
    } catch (error) {
      log.error("the maintenance pass was not recorded", { error });
    }
  }

  /** Begins a look at the providers' models, after a start and then daily. */
  private watchModels(now: number): void {
    if (now - this.modelsWatchedAt < MODEL_CHECK_MS) return;
    this.modelsWatchedAt = now;
    try {
      const services = servicesOfAll(this.env);
      const stores = services.map(({ store }) => store);
      this.ctx.waitUntil(watchModels(services[0]!, stores, now));
    } catch (error) {
      log.error("the models could not be watched", { error });
    }
  }

  /** A pass over each database, one after the other. */
  private async sweepAll(): Promise<(MaintenanceResult & { store: Store })[]> {
    const nudgeAll = !this.hasNudged;
    const passes = [];
    for (const [n, services] of this.services.entries()) {
      const startDueOnes = async (now: number) => startDue(servicesOfAll(this.env)[n]!, now);
      passes.push({ store: services.store, ...(await sweep(services, { nudgeAll, startDue: startDueOnes })) });
    }
    return passes;
  }

  /** Sets the alarm to the next expiry, or to the next look at the models, unless the maintenance worker was armed meanwhile. @returns when the next pass is due; null: when it is armed */
  private async sleep(awake: number): Promise<number | null> {
    const { armedAt } = this;
    const expiries = await Promise.all(this.services.map(nextExpiry));
    // Nothing may be awaited between this comparison and the change of the alarm.
    if (this.armedAt !== armedAt) return awake;
    const next = Math.min(...expiries.map((at) => at ?? Infinity));
    if (next === Infinity) {
      await this.ctx.storage.deleteAlarm();
      return null;
    }
    const at = Math.max(Math.min(next, this.modelsWatchedAt + MODEL_CHECK_MS), Date.now() + this.interval);
    await this.ctx.storage.setAlarm(at);
    return at;
  }

  private async setNext(): Promise<number> {
    const at = Date.now() + this.interval;
    await this.ctx.storage.setAlarm(at);
    return at;
  }
}
