import { log } from "#core/log";
import type { Services } from "../services";
import type { KeyRow } from "./authenticate";

/** Stores when the key was last used, to the minute. A failed write is logged and not thrown: the request does not depend on it. */
export async function recordKeyUse({ store }: Services, key: KeyRow): Promise<void> {
  try {
    await store.keys.touch(key);
  } catch (error) {
    log.warn("last_used_at was not written", { key_id: key.id, error });
  }
}
