import { log } from "#core/log";

/** After a crash the alarm fires again this much later; one alarm's work takes a minute at worst. Milliseconds. */
const RESUME_AFTER = 120_000;

/** A failed alarm's work is done again after this. Milliseconds. */
const AFTER_FAILURE = 15_000;

/** The platform would retry an alarm that throws a few times only, and then forget it. */
function afterFailure(object: string, error: unknown): number {
  log.error("work in an alarm failed, and is done again", { object, error });
  return Date.now() + AFTER_FAILURE;
}

/** Makes an object that is named after a resource work now. @param key storage key of the resource's id */
export async function startWork({ id, storage }: DurableObjectState, key: string): Promise<void> {
  await storage.put(key, id.name);
  await storage.setAlarm(Date.now());
}

/**
 * Does the due work of the resource, in an alarm. The storage is emptied when nothing is due.
 * @param work returns when to continue, in milliseconds since the epoch; null: nothing is left to do
 */
export async function workInAlarm(
  { storage }: DurableObjectState,
  key: string,
  work: (id: string) => Promise<number | null>,
): Promise<void> {
  const resume = Date.now() + RESUME_AFTER;
  await storage.setAlarm(resume);
  const id = await storage.get<string>(key);
  // In an async function, so that work which throws before it returns a promise counts as failed too.
  const next = id === undefined ? null : await (async () => work(id))().catch((error) => afterFailure(key, error));
  if ((await storage.getAlarm()) !== resume) return; // `startWork` has set an alarm meanwhile
  if (next !== null) return storage.setAlarm(next);
  await storage.deleteAlarm();
  await storage.deleteAll();
}
