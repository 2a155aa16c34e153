import { DurableObject } from "cloudflare:workers";
import { type Env, readSettings } from "../env";
import { configureLog } from "../log";
import { Secrets } from "../secrets";
import type { EndpointRow } from "../store/rows";
import { Store } from "../store/store";
import type { DueDelivery } from "../store/webhooks";
import { attempt, type Outcome } from "./attempt";
import { webhookBody } from "./payload";
import { nextAttemptAt } from "./schedule";
import { sign } from "./sign";

/** Deliveries taken from D1 at once, and how many of them are on their way at the same time. */
const BATCH = 20;
const AT_ONCE = 5;

/** A crash in the middle of a batch is made good after this long; a batch takes a minute at worst. Milliseconds. */
const RESUME_AFTER = 120_000;

/**
 * Delivers the webhooks of one endpoint; its name is the endpoint's id. What is to be sent stands in D1: this object only
 * holds the alarm, so a slow receiver holds up nothing but itself.
 */
export class WebhookSender extends DurableObject<Env> {
  private readonly store = new Store(this.env.DB, this.env.BUCKET);
  private readonly settings = readSettings(this.env);
  private readonly secrets = new Secrets(this.settings.secret);

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    configureLog(this.settings.log);
  }

  /** Something is due. */
  async deliver(): Promise<void> {
    await this.ctx.storage.put("endpoint", this.ctx.id.name);
    await this.ctx.storage.setAlarm(Date.now());
  }

  override async alarm(): Promise<void> {
    const resume = Date.now() + RESUME_AFTER;
    await this.ctx.storage.setAlarm(resume);
    const id = await this.ctx.storage.get<string>("endpoint");
    const endpoint = id === undefined ? null : await this.store.webhooks.endpoint(id);
    const next = endpoint?.status === "enabled" ? await this.deliverDue(endpoint) : null;
    // An alarm that `deliver` has set meanwhile stands.
    if ((await this.ctx.storage.getAlarm()) !== resume) return;
    if (next !== null) await this.ctx.storage.setAlarm(next);
    else await this.forget();
  }

  /**
   * Attempts what is due, by event id, which is no promise of order: several are on their way at once, and one that failed comes
   * later. Returns when to go on, or null.
   */
  private async deliverDue(endpoint: EndpointRow): Promise<number | null> {
    const due = (await this.store.webhooks.due(endpoint.id, Date.now(), BATCH)).values();
    let gone = false;
    const worker = async () => {
      for (const delivery of due) {
        if (gone) return;
        if ((await this.deliverOne(endpoint, delivery)) === 410) gone = true;
      }
    };
    const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, worker));
    // Thrown only now that nothing is in flight: the platform calls `alarm` again.
    for (const it of ended) if (it.status === "rejected") throw it.reason;
    if (!gone) return this.store.webhooks.nextDue(endpoint.id);
    await this.store.webhooks.disable(endpoint.id, "The receiver answered 410 Gone.");
    return null;
  }

  /** Returns the status that the receiver answered with, if it did. */
  private async deliverOne(endpoint: EndpointRow, { delivery, event, run }: DueDelivery): Promise<number | null> {
    const { interaction_id } = JSON.parse(event.data) as { interaction_id?: string };
    const asks = event.type === "run.input_required" && interaction_id;
    const interaction = asks ? await this.store.interactions.get(interaction_id) : null;
    const body = webhookBody(event, run, interaction, this.secrets);
    const compose = (at: Date) => ({
      url: endpoint.url,
      headers: {
        "content-type": "application/json",
        "user-agent": `Parley/${this.settings.version}`,
        ...sign([this.secrets.open(endpoint.secret)], { id: event.id, at, body }),
      },
      body,
    });
    const outcome = await attempt(compose, { allow_private: this.settings.allow_private_urls });
    const number = delivery.attempts + 1;
    await this.store.webhooks.record(delivery, { attempt: number, ...outcome }, verdict(outcome, number));
    return outcome.response_status;
  }

  /** Nothing is pending: leaves no storage behind. */
  private async forget(): Promise<void> {
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
  }
}

/** What follows from an attempt: any 2xx delivers, 410 means never again, everything else is tried again while retries last. */
function verdict(
  outcome: Outcome,
  attempts: number,
): { status: "pending" | "delivered" | "failed"; next_attempt_at: number | null } {
  if (outcome.error === null) return { status: "delivered", next_attempt_at: null };
  const next_attempt_at = outcome.response_status === 410 ? null : nextAttemptAt(attempts, Date.now());
  return { status: next_attempt_at === null ? "failed" : "pending", next_attempt_at };
}
