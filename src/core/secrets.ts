import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import { log } from "./log";

/** A secret of the deployment, from which keys are derived. */
export interface SecretKey {
  /** At least 32 characters. */
  secret: string;
  /** It verifies and opens until then, in milliseconds since the epoch; null: it is in use, and signs and seals too. */
  until: number | null;
}

/** Where a sealed text belongs. A seal made for one place does not open at another. */
export interface SealContext {
  table: string;
  /** The owner: a tenant's id, or the id of what stands for it. */
  tenant: string;
  /** Id of the row. */
  id: string;
  /** Tells apart several sealed texts of one row. */
  purpose: string;
}

/** A link that answers an interaction: its id, and the number of the link. */
export interface CallbackLink {
  id: string;
  link: number;
}

/** A sealed text that no key opens at this place. The message names place and key. */
export class SealError extends Error {}

interface DerivedKey {
  id: string;
  mac: Buffer;
  seal: Buffer;
  until: number | null;
}

/** A sealed text: `v1.<key id>.<base64>`. */
const SEAL = /^v1\.([0-9a-f]{8})\.([A-Za-z0-9+/=]+)$/;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Cryptography keyed by the secrets of the deployment: callback tokens, and encryption of secrets at rest. */
export class Secrets {
  private readonly keys: readonly DerivedKey[];
  private readonly current: DerivedKey;

  /** @param secrets one of them is in use; a text is the only one */
  constructor(secrets: string | readonly SecretKey[]) {
    const all = typeof secrets === "string" ? [{ secret: secrets, until: null }] : secrets;
    this.keys = all.map(deriveKey);
    const current = this.keys.find(({ until }) => until === null);
    if (!current) throw new Error("No secret is in use: each has a date.");
    this.current = current;
  }

  /** Ids of all keys with their dates, the expired ones included. An id is derived from its secret and does not reveal it. */
  get keyDates(): { id: string; until: number | null }[] {
    return this.keys.map(({ id, until }) => ({ id, until }));
  }

  /**
   * The capability to answer one interaction: `<interaction id>.<key id>.<HMAC>`, with `~<number>` after the id when it has been addressed anew.
   * It is never stored.
   */
  callbackToken(interactionId: string, link = 0): string {
    const name = link === 0 ? interactionId : `${interactionId}~${link}`;
    return `${name}.${this.current.id}.${mac(this.current, name)}`;
  }

  /** The link that a token is; null for a token that is not valid. */
  linkOf(token: string): CallbackLink | null {
    const [name, keyId, received, ...rest] = token.split(".");
    if (name === undefined || received === undefined || rest.length > 0) return null;
    const key = this.valid(keyId);
    if (!key || !areEqual(received, mac(key, name))) return null;
    const [id, link = "0"] = name.split("~");
    return { id: id!, link: Number(link) };
  }

  /** Encrypts a text for its place: AES-256-GCM, base64 of nonce (12 bytes), tag (16) and text, after the id of the key. */
  seal(text: string, place: SealContext): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv("aes-256-gcm", this.current.seal, nonce);
    cipher.setAAD(boundData(place));
    const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    const bytes = Buffer.concat([nonce, cipher.getAuthTag(), body]);
    return `v1.${this.current.id}.${bytes.toString("base64")}`;
  }

  /**
   * Opens a sealed text.
   * @throws SealError when its key is not set or has expired, or when it was made for another place or altered
   */
  open(sealed: string, place: SealContext): string {
    const text = this.tryOpen(sealed, place);
    if (text !== null) return text;
    const key = SEAL.exec(sealed)?.[1];
    const { table, id, purpose } = place;
    log.error("a sealed secret cannot be opened", { table, id, purpose, secret_key: key ?? null });
    throw new SealError(`The ${purpose} of ${id} cannot be opened: ${this.reason(key)}.`);
  }

  /**
   * The text sealed by the key in use: the same one when that key has sealed it already.
   * @returns null when it cannot be opened
   */
  reseal(sealed: string, place: SealContext): string | null {
    if (sealed.startsWith(`v1.${this.current.id}.`)) return sealed;
    const text = this.tryOpen(sealed, place);
    return text === null ? null : this.seal(text, place);
  }

  private tryOpen(sealed: string, place: SealContext): string | null {
    const [, id, base64] = SEAL.exec(sealed) ?? [];
    const key = this.valid(id);
    return key && base64 !== undefined ? decrypt(key, Buffer.from(base64, "base64"), boundData(place)) : null;
  }

  /** The key with this id, if it verifies and opens now. */
  private valid(id: string | undefined): DerivedKey | undefined {
    return this.keys.find((key) => key.id === id && (key.until === null || Date.now() < key.until));
  }

  private reason(id: string | undefined): string {
    if (id === undefined) return "it is no sealed text";
    const key = this.keys.find((known) => known.id === id);
    if (!key) return `the secret with key id ${id} is not set`;
    if (key.until !== null && Date.now() >= key.until)
      return `the secret with key id ${id} was valid until ${new Date(key.until).toISOString()}`;
    return "it was altered, or made for another place";
  }
}

function deriveKey({ secret, until }: SecretKey): DerivedKey {
  const derive = (use: string, bytes = 32) => Buffer.from(hkdfSync("sha256", secret, "parley", use, bytes));
  return {
    id: derive("key id", 4).toString("hex"),
    mac: derive("callback tokens"),
    seal: derive("sealed secrets"),
    until,
  };
}

const mac = (key: DerivedKey, id: string): string => createHmac("sha256", key.mac).update(id).digest("base64url");

function areEqual(received: string, expected: string): boolean {
  const [one, other] = [Buffer.from(received), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Additional data that GCM authenticates. As JSON, so that no two places have the same bytes. */
const boundData = ({ table, tenant, id, purpose }: SealContext): Buffer =>
  Buffer.from(JSON.stringify(["v1", table, tenant, id, purpose]));

/** null: the key does not fit. */
function decrypt(key: DerivedKey, bytes: Buffer, bound: Buffer): string | null {
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  const head = NONCE_BYTES + TAG_BYTES;
  const decipher = createDecipheriv("aes-256-gcm", key.seal, bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, head));
  decipher.setAAD(bound);
  try {
    return Buffer.concat([decipher.update(bytes.subarray(head)), decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}
