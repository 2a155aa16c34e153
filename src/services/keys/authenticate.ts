import { Problem } from "#core/errors";
import type { Services } from "../services";
import type { KeyRow } from "#store/rows";
import { toTime } from "../fields/time";
import type { Scope } from "#core/vocabulary";
import { hashKey, KEY_PATTERN } from "./make-key";
import { log } from "#core/log";
import type { Admission } from "../platform";

export type { KeyRow } from "#store/rows";

/**
 * Finds the key in an `Authorization` header, and the services on the database of its tenant.
 * @throws Problem `unauthenticated`, `key_revoked`, `key_expired`
 */
export async function authenticate(
  services: Services,
  authorization: string | undefined,
): Promise<{ key: KeyRow; services: Services }> {
  if (authorization === undefined)
    throw new Problem("unauthenticated", "The request has no header `Authorization: Bearer <key>`.");
  const [scheme, text = ""] = authorization.trim().split(/ +/);
  if (scheme?.toLowerCase() !== "bearer")
    throw new Problem("unauthenticated", "The Authorization header is not of the form `Bearer <key>`.");
  if (!KEY_PATTERN.test(text)) throw unknownKey();
  const hash = hashKey(text);
  const placed = services.at({ kind: "key_hash", id: hash });
  const key = await placed.store.keys.byHash(hash);
  if (!key) throw unknownKey();
  const ended = endOf(key);
  if (ended) throw ended;
  return { key, services: placed };
}

const unknownKey = () => new Problem("unauthenticated", "There is no such API key.");

/** Why a key is no longer valid; null while it is. */
export function endOf(key: KeyRow): Problem | null {
  if (key.revoked_at !== null) return new Problem("key_revoked", `The key ${key.id} was revoked.`);
  if (key.expires_at === null || key.expires_at > Date.now()) return null;
  const successor = key.rolled_to === null ? "" : ` It was rolled to ${key.rolled_to}: use that key.`;
  return new Problem("key_expired", `The key ${key.id} expired at ${toTime(key.expires_at)}.${successor}`);
}

export const scopesOf = (key: KeyRow): Scope[] => JSON.parse(key.scopes) as Scope[];

/** Names of the workflows that a key is bound to; null: all. */
export const workflowsOf = (key: Pick<KeyRow, "workflows">): string[] | null =>
  key.workflows === null ? null : (JSON.parse(key.workflows) as string[]);

/** `admin` implies the other scopes. */
export const has = (key: KeyRow, scope: Scope): boolean =>
  scopesOf(key).some((held) => held === scope || held === "admin");

/** @throws Problem `missing_scope` */
export function requireScope(key: KeyRow, scope: Scope): void {
  if (!has(key, scope))
    throw new Problem(
      "missing_scope",
      `This needs the scope ${scope}; the key ${key.id} has ${scopesOf(key).join(", ")}.`,
    );
}

/** Stores when the key was last used, to the minute. A failed write is logged and not thrown: the request does not depend on it. */
export async function recordKeyUse({ store }: Services, key: KeyRow): Promise<void> {
  try {
    await store.keys.touch(key);
  } catch (error) {
    log.warn("last_used_at was not written", { key_id: key.id, error });
  }
}

/**
 * Counts a request under a name: the id of its key or interaction, or the name of the caller's network.
 * @param limit requests per minute; 0: no limit
 * @returns null when the request is not limited, or could not be counted
 */
export async function countRequest({ platform }: Services, name: string, limit: number): Promise<Admission | null> {
  return limit === 0 ? null : platform.admit(name, limit);
}
