import { createHash } from "node:crypto";
import { setTimeout as later } from "node:timers/promises";
import { fetchText } from "./fetch-text";

/** Larger data are digested on another thread. Bytes. */
const DIGEST_BATCH = 1024 * 1024;

const HASHES: Record<string, string> = { "SHA-256": "sha256", "SHA-1": "sha1" };

/**
 * Adds what workerd has and Node has not, posts text without the objects of Node's `fetch`, and digests small data without the detour over
 * another thread, which costs more than the digest.
 */
export function completeGlobals(): void {
  Object.assign(globalThis, {
    scheduler: { wait: (ms: number) => later(ms) },
    fetch: fetchText(globalThis.fetch.bind(globalThis)),
  });
  const { subtle } = crypto;
  const onThread = subtle.digest.bind(subtle);
  const digest = async (algorithm: string | { name: string }, data: ArrayBuffer | ArrayBufferView) => {
    const hash = HASHES[typeof algorithm === "string" ? algorithm : algorithm.name];
    if (!hash || data.byteLength > DIGEST_BATCH) return onThread(algorithm as never, data as never);
    const bytes = ArrayBuffer.isView(data)
      ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
      : new Uint8Array(data);
    return Uint8Array.from(createHash(hash).update(bytes).digest()).buffer;
  };
  Object.defineProperty(subtle, "digest", { value: digest, configurable: true });
}
