import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";

/** Bytes of a secret's key: what Standard Webhooks 1.0 allows. */
const KEY_BYTES = { min: 24, max: 64 };

/** A random secret: `whsec_` and the key in base64. */
export const makeSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

/** Why a caller's own secret is invalid, in a sentence; null when it is valid. */
export function secretRefusal(secret: string): string | null {
  const [, base64] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  if (base64 === undefined) return "Write whsec_ and then the key in base64.";
  const bytes = Buffer.from(base64, "base64");
  if (bytes.toString("base64").replace(/=+$/, "") !== base64.replace(/=+$/, ""))
    return "The part after whsec_ is not base64.";
  if (bytes.length < KEY_BYTES.min || bytes.length > KEY_BYTES.max) {
    return `The key must have ${KEY_BYTES.min} to ${KEY_BYTES.max} bytes; it has ${bytes.length}.`;
  }
  return null;
}

/**
 * The headers of Standard Webhooks 1.0.
 * @param secrets `whsec_…`; two during a rotation, when the receiver may verify with either
 * @param message.id the event's id: the same for every retry, so that a receiver can detect repetitions
 * @param message.at time of this attempt
 */
export function sign(
  secrets: readonly string[],
  message: { id: string; at: Date; body: string },
): Record<string, string> {
  return {
    "webhook-id": message.id,
    "webhook-timestamp": String(Math.floor(message.at.getTime() / 1000)),
    "webhook-signature": secrets
      .map((secret) => new Webhook(secret).sign(message.id, message.at, message.body))
      .join(" "),
  };
}
