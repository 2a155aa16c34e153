import { log } from "#core/log";
import { within } from "#core/retry";
import { onAvailable } from "#core/unavailable";
import { parseProviders } from "#llm";
import type { ProviderGates } from "#llm/limits/acquire-permit";
import { gateName } from "#llm/limits/gate-name";
import type { Platform } from "#services/platform";
import type { Commit } from "#store/group-commit";
import { chunksOf } from "#core/chunks";

/** Id of the Workflow instance that runs one epoch of a run. */
const instanceId = (run: { id: string; epoch: number }) => `${run.id}-e${run.epoch}`;

const MAINTENANCE = "maintenance";
/** An isolate does not arm the maintenance worker with every run, because it stays on for a minute after it was armed. */
const ARM_INTERVAL_MS = 20_000;

const isMissing = (error: unknown) => /not[_ ]found|does not exist/i.test(String(error));

/** Longest wait of a request to be counted. */
const COUNT_TIMEOUT_MS = 1000;

const DELETION_BATCH = 10;

/** Throws when an existing instance cannot be deleted. */
async function deleteInstance(env: Env, id: string): Promise<void> {
  try {
    await onWorkflows(async () => (await env.RUNS.get(id)).delete());
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** An error that the called object's own code threw, not the connection to it. */
const isThrownThere = (error: unknown): boolean => {
  const { remote, retryable, durableObjectReset } = (error ?? {}) as Record<string, unknown>;
  return remote === true && retryable !== true && durableObjectReset !== true;
};

const onObject = <T>(what: string, call: () => Promise<T>): Promise<T> => onAvailable(what, call, isThrownThere);
/** Whether an instance is missing or exists already is in the message, which StorageUnavailableError keeps. */
const onWorkflows = <T>(call: () => Promise<T>): Promise<T> => onAvailable("Workflows", call, () => false);

const feedOf = (env: Env, run: string) => env.FEEDS.get(env.FEEDS.idFromName(run));

export function makePlatform(env: Env): Platform {
  let armedAt = 0;
  return {
    async createInstance(run) {
      try {
        await onWorkflows(() => env.RUNS.create({ id: instanceId(run), params: { run_id: run.id, epoch: run.epoch } }));
      } catch (error) {
        if (!/already.?exists/i.test(String(error))) throw error;
      }
    },
    async sendEvent(run, type) {
      try {
        await onWorkflows(async () => (await env.RUNS.get(instanceId(run))).sendEvent({ type, payload: {} }));
        return true;
      } catch (error) {
        if (isMissing(error)) return false;
        throw error;
      }
    },
    async instanceStatus(run) {
      try {
        return (await onWorkflows(async () => (await env.RUNS.get(instanceId(run))).status())).status;
      } catch (error) {
        if (isMissing(error)) return "missing";
        throw error;
      }
    },
    async deleteInstances(run) {
      const instances = Array.from({ length: run.epoch }, (_, n) => instanceId({ id: run.id, epoch: n + 1 }));
      for (const chunk of chunksOf(instances, DELETION_BATCH))
        await Promise.all(chunk.map((id) => deleteInstance(env, id)));
    },
    async returnPermits({ id, tenant_id }) {
      const gates = providerGates(env);
      const returning = gateNames(env, tenant_id).map((gate) => gates.releaseAll(gate, `${id}-e`));
      for (const result of await Promise.allSettled(returning))
        if (result.status === "rejected")
          log.warn("permits of a removed run were not returned", { run_id: id, tenant_id, error: result.reason });
    },
    async armMaintenance() {
      const now = Date.now();
      if (now - armedAt < ARM_INTERVAL_MS) return;
      await onObject("maintenance", async () => env.MAINTENANCE.get(env.MAINTENANCE.idFromName(MAINTENANCE)).arm());
      armedAt = now;
    },
    async wakeIndexers(corpora) {
      const wake = (id: string) =>
        onObject("indexer", async () => env.INDEXERS.get(env.INDEXERS.idFromName(id)).index());
      await Promise.all(corpora.map(wake));
    },
    async admit(name, limit, count = 1) {
      try {
        const admission = env.RATE_LIMITS.get(env.RATE_LIMITS.idFromName(name)).admit(limit, count);
        return await within(COUNT_TIMEOUT_MS, admission);
      } catch (error) {
        log.warn("a request was not counted", { name, error });
        return null;
      }
    },
    async wakeWebhookSenders(endpoints) {
      const wake = (id: string) =>
        onObject("webhook sender", async () => env.WEBHOOKS.get(env.WEBHOOKS.idFromName(id)).deliver());
      await Promise.all(endpoints.map(wake));
    },
    announceEvents: (run) => onObject("event feed", async () => feedOf(env, run).announce(run)),
    reportCalls: (run, calls) => onObject("event feed", async () => feedOf(env, run).report(run, calls)),
    nextUpdate: (run, position, wait_ms) =>
      onObject("event feed", async () => feedOf(env, run).next(run, position, wait_ms)),
    sendMail: env.EMAIL ? async (mail) => void (await env.EMAIL!.send(mail)) : null,
    hasAnalytics: env.ANALYTICS !== undefined,
    writeDataPoint: (point) => env.ANALYTICS?.writeDataPoint(point),
  };
}

/**
 * A call whose answer is lost would hang its run for good. Both kinds may be repeated: commits that are grouped change nothing the second time, and a
 * ticket has one permit. Milliseconds.
 */
const RESPONSE_TIMEOUT_MS = 15_000;
const answered = <T>(call: Promise<T>, wait_ms = 0): Promise<T> => within(wait_ms + RESPONSE_TIMEOUT_MS, call);

/**
 * Null where the platform groups commits itself, and binds no committers: on Node.
 * @param database the binding of the tenant's database
 */
export const committers = (
  { COMMITTERS }: Pick<Env, "COMMITTERS">,
  database: () => Promise<string> = async () => "DB",
): Commit | null =>
  COMMITTERS
    ? (tenant, statements) =>
        onObject("committer", async () =>
          answered(COMMITTERS.get(COMMITTERS.idFromName(tenant)).commit(statements, await database())),
        )
    : null;

/** The gates that calls of a tenant may have passed; none when PROVIDERS is wrong, because then no run calls. */
function gateNames(env: Env, tenant: string): string[] {
  try {
    const limited = [...parseProviders(env).byName.values()].filter(({ limits }) => limits);
    return limited.flatMap(({ name }) => [gateName(name, null), gateName(name, tenant)]);
  } catch {
    return [];
  }
}

export function providerGates(env: Env): ProviderGates {
  const gateOf = (provider: string) => env.PROVIDER_GATES.get(env.PROVIDER_GATES.idFromName(provider));
  return {
    acquire: (provider, limits, ticket, wait_ms) =>
      onObject("provider gate", async () => answered(gateOf(provider).acquire(limits, ticket, wait_ms), wait_ms)),
    release: (provider, id, permit, outcome) =>
      onObject("provider gate", async () => answered(gateOf(provider).release(id, permit, outcome))),
    releaseAll: (provider, prefix) =>
      onObject("provider gate", async () => answered(gateOf(provider).releaseAll(prefix))),
  };
}
