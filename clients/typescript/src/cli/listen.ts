import { setTimeout as sleep } from "node:timers/promises";
import type { CreateWebhookEndpoint, LeasedDelivery } from "../index.ts";
import { type Command, type Context, flag, numberFlag, say, UsageError } from "./terminal.ts";

/** How long a delivery is held, and how long the receiver may take; after a crash it is given again then. Seconds. */
const LEASE = 30;
/** Between looks while nothing is due, and before a delivery that the receiver refused is tried again. Milliseconds. */
const PAUSE = 1000;

const descriptionOf = (url: string) => `parley listen --forward-to ${url}`;

/** The endpoint of an earlier `listen` to this URL that was killed, or a new one. */
async function openEndpoint(context: Context, url: string): Promise<string> {
  const { parley, flags } = context;
  const secret = flag(context, "secret");
  const events = flags.event as CreateWebhookEndpoint["events"];
  for await (const endpoint of parley.webhookEndpoints.list()) {
    if (endpoint.delivery !== "poll" || endpoint.description !== descriptionOf(url)) continue;
    if (endpoint.status !== "enabled" || events)
      await parley.webhookEndpoints.update(endpoint.id, { status: "enabled", events });
    say(`Going on with ${endpoint.id}, its secret unchanged.`);
    return endpoint.id;
  }
  const body = { delivery: "poll" as const, description: descriptionOf(url), secret, events };
  const made = await parley.webhookEndpoints.create(body);
  say(`Webhooks are signed with ${made.secret}`);
  return made.id;
}

/** Sends a delivery to the receiver, as Parley would. @returns whether the receiver took it */
async function forward(url: string, { type, run_id, headers, body }: LeasedDelivery, lease: number): Promise<boolean> {
  const signal = AbortSignal.timeout(lease * 1000);
  const sent = { ...headers, "content-type": "application/json" };
  const outcome = await fetch(url, { method: "POST", headers: sent, body, signal }).then(
    async (response) => {
      await response.body?.cancel();
      return response.status;
    },
    (error: Error) => (error.cause as Error | undefined)?.message ?? error.message,
  );
  say(`${type}  ${run_id ?? ""}  ${outcome}`);
  return typeof outcome === "number" && outcome >= 200 && outcome < 300;
}

/** Leases what is due, forwards it, and acknowledges what was taken. @returns how many were taken */
async function round({ parley, signal }: Context, endpoint: string, url: string, lease: number): Promise<number> {
  const { data } = await parley.webhookEndpoints.lease(endpoint, { lease_seconds: lease }, { signal });
  const taken = await Promise.all(data.map((delivery) => forward(url, delivery, lease)));
  const deliveries = data.filter((_, index) => taken[index]).map(({ id }) => id);
  if (deliveries.length > 0) await parley.webhookEndpoints.acknowledge(endpoint, { deliveries });
  return deliveries.length;
}

export const listen: Record<string, Command> = {
  listen: {
    usage: "listen --forward-to URL [--event TYPE …] [--secret whsec_…] [--lease SECONDS] [--keep]",
    summary: "Brings webhooks to your own machine, signed, without a public URL",
    flags: {
      "forward-to": { type: "string" },
      event: { type: "string", multiple: true },
      secret: { type: "string" },
      lease: { type: "string" },
      keep: { type: "boolean" },
    },
    async run(context) {
      const { parley, flags, signal } = context;
      const url = flag(context, "forward-to");
      if (!url || !URL.canParse(url)) throw new UsageError("--forward-to needs a URL.");
      const lease = numberFlag(context, "lease", LEASE);
      const endpoint = await openEndpoint(context, url);
      say("Listening. Ctrl-C ends it.");
      try {
        while (!signal.aborted)
          if ((await round(context, endpoint, url, lease)) === 0) await sleep(PAUSE, undefined, { signal });
      } catch (error) {
        if (!signal.aborted) throw error;
      }
      if (!flags.keep) await parley.webhookEndpoints.delete(endpoint);
    },
  },
};
