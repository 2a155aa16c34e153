import { isId } from "#core/ids";
import { log } from "#core/log";
import type { Services } from "./services";
import type { AdmittedRun } from "#store/queue";
import type { Listener } from "#store/listeners";
import type { EventType } from "#core/vocabulary";

/**
 * Write first, then wake (architecture, law 4): what is written stands, and these calls only make it move at once. One that
 * fails is logged and left to the keeper; no caller is told of it.
 */
async function attempt(what: string, id: string, call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
  } catch (error) {
    log.warn(`${what} failed; the keeper will do it`, { ...(isId("run", id) ? { run_id: id } : { id }), error });
  }
}

/** Called before a row is written that must not be forgotten: from here on the keeper looks, whatever happens to us. */
export const armKeeper = ({ platform }: Services): Promise<void> => platform.armKeeper();

/** Sets runs going that have left the queue. */
export async function startInstances({ platform }: Services, admitted: readonly AdmittedRun[]): Promise<void> {
  await Promise.all(
    admitted.map((run) => attempt("creating the instance", run.id, () => platform.createInstance(run))),
  );
}

/** Called after a slot of the tenant may have become free, or a run of its has come to wait for one. */
export async function startNext(services: Services, tenant: string): Promise<void> {
  await attempt("starting the next run", tenant, async () => {
    await startInstances(services, await services.store.queue.admit(tenant, services.settings.max_concurrent_runs));
  });
}

/** Wakes an instance that waits for one of these. */
export async function wake(
  { platform }: Pick<Services, "platform">,
  run: { id: string; epoch: number },
  types: readonly string[],
): Promise<void> {
  await Promise.all(types.map((type) => attempt(`waking for ${type}`, run.id, () => platform.sendEvent(run, type))));
}

/** Removes what a deleted corpus left in R2. */
export async function removeObjectsOfCorpus({ store }: Services, tenant: string, corpus: string): Promise<void> {
  await attempt("removing objects", corpus, () => store.corpora.removeObjects(tenant, corpus));
}

/** Sets the indexer of a corpus going. */
export const wakeIndexer = ({ platform }: Services, corpus: string): Promise<void> =>
  attempt("waking the indexer", corpus, () => platform.wakeIndexers([corpus]));

/** Has the webhooks sent that carry one of these events of the run. */
export async function wakeSenders(
  services: Services,
  run: { id: string; tenant_id: string },
  ...types: EventType[]
): Promise<void> {
  await attempt("sending webhooks", run.id, async () => {
    await wakeSendersOf(services, await services.store.webhooks.listeners(run), run, ...types);
  });
}

/** The same, when it is known who listens. */
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

/** Has what is due for a webhook endpoint sent. */
export const wakeSender = ({ platform }: Services, endpoint: string): Promise<void> =>
  attempt("sending webhooks", endpoint, () => platform.wakeWebhookSenders([endpoint]));
