import { createHash, randomBytes } from "node:crypto";

/** Text of a key: `parley_<mode>_` and 32 random bytes. */
export const KEY_PATTERN = /^parley_(test|live)_[A-Za-z0-9_-]{43}$/;

export interface MadeKey {
  /** The secret that the caller sends. It is not stored. */
  text: string;
  hash: string;
  /** The last four characters, which tell keys apart. */
  hint: string;
}

/** A new random key. */
export function makeKey(mode: "test" | "live"): MadeKey {
  const text = `parley_${mode}_${randomBytes(32).toString("base64url")}`;
  return { text, hash: hashKey(text), hint: text.slice(-4) };
}

/** SHA-256 in hex: enough for a secret of 256 random bits. */
export const hashKey = (text: string): string => createHash("sha256").update(text).digest("hex");
