import { DurableObject } from "cloudflare:workers";
import { sweep } from "./sweep";
import { type Env, readSettings } from "../env";
import { configureLog } from "../log";
import { makePlatform } from "../platform";
import { Store } from "../store/store";

/** Whoever arms the keeper writes its row just after: it stays up for this long, whatever it sees. Milliseconds. */
const GRACE_MS = 60_000;

/**
 * Repairs what a crash cut (law 4): one Durable Object with an alarm, which survives a kill and fires before any request. It stands
 * still while nothing is alive; whatever brings something to life arms it.
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
    const busy = await sweep(store, makePlatform(this.env), this.settings, firstSinceStart);
    if (!busy && Date.now() - this.armedAt > GRACE_MS) await this.rest(store);
  }

  /** Stands still, until the first of the runs that are there has become too old. */
  private async rest(store: Store): Promise<void> {
    const { retention_ms, keeper_interval_ms } = this.settings;
    const first = retention_ms === null ? null : await store.runs.firstEnd();
    if (first === null) await this.ctx.storage.deleteAlarm();
    else await this.ctx.storage.setAlarm(Math.max(first + retention_ms!, Date.now() + keeper_interval_ms));
  }

  private setNext(): Promise<void> {
    return this.ctx.storage.setAlarm(Date.now() + this.settings.keeper_interval_ms);
  }
}
