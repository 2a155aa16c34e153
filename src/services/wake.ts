import type { Owner } from "#core/owner";
import { isId } from "#core/ids";
import { log } from "#core/log";
import type { Services } from "./services";
import type { AdmittedRun } from "#store/queue";
import type { Listener } from "#store/listeners";
import type { EventType } from "#core/vocabulary";

/**
 * Write first, then wake (architecture, law 4): the stored state is what counts, and these calls only act on it sooner. A call that fails is
 * logged and left to the maintenance worker; its caller does not notice.
 */
export async function attempt(action: string, id: string, call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
  } catch (error) {
    log.warn(`${action} failed; the maintenance worker will do it`, {
      ...(isId("run", id) ? { run_id: id } : { id }),
      error,
    });
  }
}

/** Starts the instances of runs that have left the queue. */
export async function startInstances({ platform }: Services, admitted: readonly AdmittedRun[]): Promise<void> {
  await Promise.all(
    admitted.map((run) => attempt("creating the instance", run.id, () => platform.createInstance(run))),
  );
}

/** Call after a slot of the tenant may have become free, or one of its runs has been queued. */
export async function startNext(services: Services, tenant: string): Promise<void> {
  await attempt("starting the next run", tenant, async () => {
    await startInstances(services, await services.store.queue.admit(tenant, services.settings.max_concurrent_runs));
  });
}

/** Wakes an instance that waits for one of these events. */
export async function wake(
  { platform }: Pick<Services, "platform">,
  run: { id: string; epoch: number },
  types: readonly string[],
): Promise<void> {
  await Promise.all(types.map((type) => attempt(`waking for ${type}`, run.id, () => platform.sendEvent(run, type))));
}

/** Wakes the indexer of a corpus. */
export const wakeIndexer = ({ platform }: Services, corpus: string): Promise<void> =>
  attempt("waking the indexer", corpus, () => platform.wakeIndexers([corpus]));

/** Call after events of these types were written: wakes the senders of the endpoints that listen for one of them, and the run's streams. */
export async function announceEvents(
  services: Services,
  run: Owner & { id: string },
  ...types: EventType[]
): Promise<void> {
  const wakeListening = async () =>
    wakeSendersOf(services, await services.store.endpoints.listeners(run), run, ...types);
  await Promise.all([
    attempt("sending webhooks", run.id, wakeListening),
    attempt("waking the streams", run.id, () => wakeStreams(services, run.id)),
  ]);
}

/** Wakes the streams that follow a run. */
export async function wakeStreams(
  { store, platform }: Pick<Services, "store" | "platform">,
  run: string,
): Promise<void> {
  if (await store.streams.follows(run)) await platform.announceEvents(run);
}

/** The same for known listeners. */
export async function wakeSendersOf(
  { platform }: Services,
  listeners: readonly Listener[],
  run: { id: string },
  ...types: EventType[]
): Promise<void> {
  const listening = listeners.filter(({ events }) =>
    (JSON.parse(events) as EventType[]).some((event) => types.includes(event)),
  );
  if (listening.length)
    await attempt("sending webhooks", run.id, () => platform.wakeWebhookSenders(listening.map(({ id }) => id)));
}

/** Wakes the sender of a webhook endpoint. */
export const wakeSender = ({ platform }: Services, endpoint: string): Promise<void> =>
  attempt("sending webhooks", endpoint, () => platform.wakeWebhookSenders([endpoint]));
