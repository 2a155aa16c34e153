import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";

/** Cryptography keyed by PARLEY_SECRET: callback tokens, and encryption of secrets at rest. */
export class Secrets {
  private readonly macKey: Buffer;
  private readonly sealKey: Buffer;

  /** @param secret PARLEY_SECRET, at least 32 characters */
  constructor(secret: string) {
    const derive = (use: string) => Buffer.from(hkdfSync("sha256", secret, "parley", use, 32));
    this.macKey = derive("callback tokens");
    this.sealKey = derive("sealed secrets");
  }

  /** The capability to answer one interaction: `<interaction id>.<HMAC>`. It is never stored. */
  callbackToken(interactionId: string): string {
    return `${interactionId}.${this.mac(interactionId)}`;
  }

  /** The id of the interaction that a token grants access to; null for a token that we did not issue. */
  interactionOf(token: string): string | null {
    const [id = "", mac = "", ...tail] = token.split(".");
    if (tail.length) return null;
    const received = Buffer.from(mac);
    const expected = Buffer.from(this.mac(id));
    return received.length === expected.length && timingSafeEqual(received, expected) ? id : null;
  }

  private mac(id: string): string {
    return createHmac("sha256", this.macKey).update(id).digest("base64url");
  }

  /** Encrypts a secret for its row: AES-256-GCM, base64 of nonce (12 bytes), tag (16) and text. */
  seal(text: string): string {
    const nonce = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", this.sealKey, nonce);
    const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64");
  }

  /** Throws when the text was sealed under another PARLEY_SECRET. */
  open(sealed: string): string {
    const bytes = Buffer.from(sealed, "base64");
    const decipher = createDecipheriv("aes-256-gcm", this.sealKey, bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(12, 28));
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8");
  }
}
