import { randomUUID } from "node:crypto";
import { Problem } from "#core/errors";
import { log } from "#core/log";
import type { StreamLease } from "#store/streams";
import type { KeyRow } from "../keys/authenticate";
import type { Services } from "../services";

export type { StreamLease } from "#store/streams";

/** How many streams of events a key may have open at once; the quota `streams` limits those of the tenant. */
export const STREAM_LIMITS = { per_key: 100 };

/** A lease lasts this many heartbeats, each of which renews it. */
const HEARTBEATS = 4;

/**
 * Counts a stream as open: from now on commits of the run wake it.
 * @param every interval of its heartbeats, in milliseconds
 * @throws Problem `too_many_streams`, `quota_exceeded`
 */
export async function openStream({ store }: Services, key: KeyRow, run: string, every: number): Promise<StreamLease> {
  const lease = { id: randomUUID(), tenant_id: key.tenant_id, key_id: key.id, run_id: run };
  const { per_key } = STREAM_LIMITS;
  if (await store.streams.open(lease, Date.now() + HEARTBEATS * every, per_key)) return lease;
  const detail = `The key ${key.id} has ${per_key} streams of events open, which is the most.`;
  throw new Problem("too_many_streams", detail, [], Math.ceil(every / 1000));
}

export const renewStream = ({ store }: Services, lease: StreamLease, every: number): Promise<void> =>
  store.streams.renew(lease, Date.now() + HEARTBEATS * every);

/** A lease that could not be closed expires. */
export async function closeStream({ store }: Services, { id, key_id }: StreamLease): Promise<void> {
  try {
    await store.streams.close(id);
  } catch (error) {
    log.warn("the end of a stream was not counted; its lease expires", { key_id, error });
  }
}
