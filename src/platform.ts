import type { Env } from "./env";
import type { Platform } from "./services";

/** Id of the Workflow instance that plays one epoch of a run. */
const instanceId = (run: { id: string; epoch: number }) => `${run.id}-e${run.epoch}`;

/** The one keeper. */
const KEEPER = "keeper";

export function makePlatform(env: Env): Platform {
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
    async keep() {
      await env.KEEPER.get(env.KEEPER.idFromName(KEEPER)).arm();
    },
    async deliver(endpoints) {
      await Promise.all(endpoints.map((id) => env.WEBHOOKS.get(env.WEBHOOKS.idFromName(id)).deliver()));
    },
  };
}
