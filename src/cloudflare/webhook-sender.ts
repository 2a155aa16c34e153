import { DurableObject } from "cloudflare:workers";
import { readSettings } from "#services/settings";
import { configureLog } from "#core/log";
import { makePlatform } from "./platform";
import { Secrets } from "#core/secrets";
import type { DeliveryRow, EndpointRow } from "#store/rows";
import { Store } from "#store/store";
import type { LoadedDelivery, DeliveryUpdate } from "#store/webhooks";
import { attempt } from "#services/webhooks/delivery/attempt";
import { bodyOf } from "#services/webhooks/delivery/payload";
import { nextAttemptAt } from "#services/webhooks/delivery/schedule";
import { sign } from "#services/webhooks/delivery/sign";

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
  private readonly platform = makePlatform(this.env);

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
        const { disables } = await this.deliverOne(endpoint, delivery);
        gone ||= disables === "receiver_gone";
      }
    };
    const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, worker));
    // Thrown only now that nothing is in flight: the platform calls `alarm` again.
    for (const it of ended) if (it.status === "rejected") throw it.reason;
    return this.store.webhooks.nextDue(endpoint.id);
  }

  private async deliverOne(endpoint: EndpointRow, { delivery, content }: LoadedDelivery): Promise<DeliveryUpdate> {
    const body = bodyOf(content, this.secrets);
    const compose = (at: Date) => ({
      url: endpoint.url,
      headers: {
        "content-type": "application/json",
        "user-agent": `Parley/${this.settings.version}`,
        ...sign(this.secretsAt(endpoint, at), { id: delivery.event_id, at, body }),
      },
      body,
    });
    const { request_headers, ...outcome } = await attempt(compose, this.settings.url_policy);
    const verdict = judge(outcome, delivery);
    // Whom a disabled endpoint is told to is called by the keeper.
    if (verdict.disables) await this.platform.armKeeper();
    const listed = { ...outcome, request_headers: request_headers && JSON.stringify(request_headers) };
    await this.store.webhooks.recordAttempt(delivery, { attempt: delivery.attempts + 1, ...listed }, verdict);
    return verdict;
  }

  /** The newest first; the one before it for as long as its rotation lets both count. */
  private secretsAt({ secret, previous_secret, previous_secret_until }: EndpointRow, at: Date): string[] {
    const both = previous_secret !== null && (previous_secret_until ?? 0) > at.getTime();
    return [secret, ...(both ? [previous_secret] : [])].map((sealed) => this.secrets.open(sealed));
  }

  /** Nothing is pending: leaves no storage behind. */
  private async forget(): Promise<void> {
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
  }
}

/** Any 2xx delivers, 410 means never again, everything else is tried again while retries last. */
function judge(
  outcome: { error: string | null; response_status: number | null },
  delivery: DeliveryRow,
): DeliveryUpdate {
  if (outcome.error === null) return { status: "delivered", next_attempt_at: null, disables: null };
  if (outcome.response_status === 410) return { status: "failed", next_attempt_at: null, disables: "receiver_gone" };
  const next_attempt_at = nextAttemptAt(delivery.round_attempts + 1, Date.now());
  if (next_attempt_at === null) return { status: "failed", next_attempt_at, disables: "retries_failed" };
  return { status: "pending", next_attempt_at, disables: null };
}
