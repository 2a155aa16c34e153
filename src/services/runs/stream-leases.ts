import { randomUUID } from "node:crypto";
import { Problem } from "#core/errors";
import { log } from "#core/log";
import type { StreamLease, StreamLimits } from "#store/streams";
import type { KeyRow } from "../keys/authenticate";
import type { Services } from "../services";

export type { StreamLease } from "#store/streams";

/** How many streams of events may be open at once. */
export const STREAM_LIMITS: StreamLimits = { per_key: 100, per_tenant: 200 };

/** A lease lasts this many heartbeats, each of which renews it. */
const HEARTBEATS = 4;

/**
 * Counts a stream as open.
 * @param every interval of its heartbeats, in milliseconds
 * @throws Problem `too_many_streams`
 */
export async function openStream({ store }: Services, key: KeyRow, every: number): Promise<StreamLease> {
  const lease = { id: randomUUID(), tenant_id: key.tenant_id, key_id: key.id };
  const reached = await store.streams.open(lease, Date.now() + HEARTBEATS * every, STREAM_LIMITS);
  if (!reached) return lease;
  const holder = reached === "per_key" ? `The key ${key.id}` : "The tenant";
  const detail = `${holder} has ${STREAM_LIMITS[reached]} streams of events open, which is the most.`;
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
