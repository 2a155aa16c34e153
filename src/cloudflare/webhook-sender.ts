import { DurableObject } from "cloudflare:workers";
import { deliverDue, type Unrecorded } from "#services/webhooks/delivery/deliver-due";
import { startWork, workInAlarm } from "./alarm";
import { maintenanceAt } from "./compose";

/** Delivers the webhooks of one endpoint, whose id is the object's name. D1 holds the deliveries: a slow receiver delays only its own. */
export class WebhookSender extends DurableObject<Env> {
  private readonly unrecorded: Unrecorded = new Map();

  /** Sends the deliveries that are due. */
  deliver(): Promise<void> {
    return startWork(this.ctx, "endpoint");
  }

  override alarm(): Promise<void> {
    return workInAlarm(this.ctx, "endpoint", (id) =>
      deliverDue(maintenanceAt(this.env, { kind: "endpoint", id }), id, this.unrecorded),
    );
  }
}
