import { WebhookVerificationError } from "./errors.ts";
import type { Webhook } from "./generated/types.gen.ts";

/** Seconds that a webhook may be old, or ahead. */
const TOLERANCE = 300;

type HeaderSource = Headers | Record<string, string | readonly string[] | undefined>;

/**
 * Checks the signature of a webhook (Standard Webhooks 1.0) and parses its body.
 * @param rawBody as it was received, unparsed
 * @param secret `whsec_…` of the endpoint; several while it is being rotated
 * @param options `tolerance` in seconds, `now` in milliseconds
 * @throws WebhookVerificationError
 */
export async function unwrap(
  rawBody: string | Uint8Array,
  headers: HeaderSource,
  secret: string | readonly string[],
  { tolerance = TOLERANCE, now = Date.now() }: { tolerance?: number; now?: number } = {},
): Promise<Webhook> {
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => {
    const value = headerOf(headers, name);
    if (!value) throw new WebhookVerificationError(`The header ${name} is missing.`);
    return value;
  }) as [string, string, string];
  if (!/^\d+$/.test(timestamp)) throw new WebhookVerificationError("webhook-timestamp is not a number of seconds.");
  if (Math.abs(Math.floor(now / 1000) - Number(timestamp)) > tolerance)
    throw new WebhookVerificationError(`The webhook is more than ${tolerance} seconds old, or ahead.`);

  const text = typeof rawBody === "string" ? rawBody : new TextDecoder().decode(rawBody);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  const claimed = signatures.split(" ").filter((signature) => signature.startsWith("v1,"));
  for (const own of [secret].flat()) {
    const key = await importKey(own);
    for (const signature of claimed) {
      const bytes = fromBase64(signature.slice(3));
      if (bytes && (await crypto.subtle.verify("HMAC", key, bytes, signed))) return JSON.parse(text) as Webhook;
    }
  }
  throw new WebhookVerificationError("No signature of the webhook fits a secret.");
}

function headerOf(headers: HeaderSource, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const entry = Object.entries(headers).find(([own]) => own.toLowerCase() === name);
  return [entry?.[1]].flat()[0];
}

async function importKey(secret: string): Promise<CryptoKey> {
  const bytes = fromBase64(secret.replace(/^whsec_/, ""));
  if (!bytes) throw new WebhookVerificationError("The secret is not base64.");
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

/** @returns undefined for what is not base64 */
function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
