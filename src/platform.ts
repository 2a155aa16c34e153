import type { Env } from "./env";
import type { Platform } from "./services";

/** Id of the Workflow instance that plays one epoch of a run. */
const instanceId = (run: { id: string; epoch: number }) => `${run.id}-e${run.epoch}`;

/** The one keeper. It stays up for a minute after it was armed, so an isolate need not arm it with every run. Milliseconds. */
const KEEPER = "keeper";
const ARM_EVERY_MS = 20_000;

export function makePlatform(env: Env): Platform {
  let armedAt = 0;
  return {
    async start(run) {
      try {
        await env.RUNS.create({ id: instanceId(run), params: { run_id: run.id, epoch: run.epoch } });
      } catch (error) {
        if (!/already.?exists/i.test(String(error))) throw error;
      }
    },
    async wake(run, type) {
      try {
        const instance = await env.RUNS.get(instanceId(run));
        await instance.sendEvent({ type, payload: {} });
        return true;
      } catch {
        return false; // there is no such instance, or it is finished
      }
    },
    async state(run) {
      try {
        return (await (await env.RUNS.get(instanceId(run))).status()).status;
      } catch {
        return "missing";
      }
    },
    async forget(run) {
      for (let epoch = 1; epoch <= run.epoch; epoch++) {
        const instance = await env.RUNS.get(instanceId({ id: run.id, epoch })).catch(() => null);
        await instance?.delete().catch((error: unknown) => {
          console.error(
            JSON.stringify({ message: "an instance was not deleted", run_id: run.id, epoch, error: String(error) }),
          );
        });
      }
    },
    async keep() {
      const now = Date.now();
      if (now - armedAt < ARM_EVERY_MS) return;
      await env.KEEPER.get(env.KEEPER.idFromName(KEEPER)).arm();
      armedAt = now;
    },
    async deliver(endpoints) {
      await Promise.all(endpoints.map((id) => env.WEBHOOKS.get(env.WEBHOOKS.idFromName(id)).deliver()));
    },
  };
}
