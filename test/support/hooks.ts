import { Webhook } from "standardwebhooks";
import type { SeenHook } from "./model";
import { hooksOf, until } from "./parley";

/** Waits until a receiver has got so many webhooks; returns all that it got. */
export const received = (name: string, count: number, ms?: number): Promise<SeenHook[]> =>
  until(
    `${count} webhooks`,
    async () => {
      const hooks = await hooksOf(name);
      return hooks.length >= count && hooks;
    },
    ms,
  );

/** The payload of a webhook, as a receiver reads it that holds this secret. Throws when the signature does not fit. */
export const verified = (secret: string, hook: SeenHook): any => new Webhook(secret).verify(hook.body, hook.headers);
