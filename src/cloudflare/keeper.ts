import { DurableObject } from "cloudflare:workers";
import { sweep } from "#services/maintenance/sweep";
import { readSettings } from "#services/settings";
import { configureLog } from "#core/log";
import { makePlatform } from "./platform";
import { vectorIndex } from "#retrieval/vector-index";
import { Store } from "#store/store";

/** Whoever arms the keeper writes its row just after: it stays up for this long, whatever it sees. Milliseconds. */
const GRACE_MS = 60_000;

/**
 * Repairs what a crash cut (law 4): one Durable Object with an alarm, which survives a kill and fires before any request. It stands
 * still while nothing is alive, but for answers that are kept for a day; whatever brings something to life arms it.
 */
export class Keeper extends DurableObject<Env> {
  private readonly settings = readSettings(this.env);
  private armedAt = Date.now();
  private awake = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    configureLog(this.settings.log);
  }

  async arm(): Promise<void> {
    this.armedAt = Date.now();
    const next = await this.ctx.storage.getAlarm();
    if (next === null || next > Date.now() + this.settings.keeper_interval_ms) await this.setNext();
  }

  override async alarm(): Promise<void> {
    await this.setNext(); // first: whatever happens below, there is a next time
    const firstSinceStart = !this.awake;
    this.awake = true;
    const store = new Store(this.env.DB, this.env.BUCKET);
    const vectors = this.env.VECTORS ? vectorIndex(this.env.VECTORS) : null;
    const busy = await sweep(store, makePlatform(this.env), vectors, this.settings, firstSinceStart);
    if (!busy && Date.now() - this.armedAt > GRACE_MS) await this.rest(store);
  }

  /** Stands still, until what is kept for a time only is to go: a run or a delivery that becomes too old, an answer kept for its key. */
  private async rest(store: Store): Promise<void> {
    const { retention_ms, keeper_interval_ms } = this.settings;
    const kept =
      retention_ms === null ? [] : [await store.maintenance.firstEnd(), await store.webhooks.oldestRemovable()];
    const expiries = [...kept.map((since) => since && since + retention_ms!), await store.idempotency.nextExpiry()];
    const next = Math.min(...expiries.map((at) => at ?? Infinity));
    if (next === Infinity) await this.ctx.storage.deleteAlarm();
    else await this.ctx.storage.setAlarm(Math.max(next, Date.now() + keeper_interval_ms));
  }

  private setNext(): Promise<void> {
    return this.ctx.storage.setAlarm(Date.now() + this.settings.keeper_interval_ms);
  }
}
