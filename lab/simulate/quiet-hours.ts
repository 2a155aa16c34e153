import { setTimeout as sleep } from "node:timers/promises";
import type { World } from "./world.ts";
import type { Client } from "../lib/client.ts";
import type { Chance } from "./chance.ts";

/** How many runs come, one after the other. */
const RUNS = 6;
/** How long after the end of a run the next one comes: the maintenance worker stays awake for a minute after a run has come. Milliseconds. */
const QUIET = { from: 30_000, to: 70_000 };
/** Time that every call takes, so that the maintenance worker is at work on its last pass for seconds. Milliseconds. */
const PACE = [1, 1500] as [number, number];
/** How long each run stays. Milliseconds. */
const STAYS = 25_000;

const RUN = {
  workflow: "requirements",
  input: { idea: "A shelf of tools.", stakeholders: [{ name: "Owner", profile: "Lends tools." }] },
  options: { human_stakeholder: true, qa_rounds: 1, num_user_stories: 1 },
};

/**
 * After all other work, a run comes whenever the maintenance worker is about to sleep. The watch sees a maintenance worker that sleeps through it.
 * @param options `key` of test mode
 */
export async function quietHours(world: World, api: Client, { chance, key }: { chance: Chance; key: string }) {
  world.fates.pace = PACE;
  for (let number = 1; number <= RUNS; number++) {
    await sleep(chance.between(QUIET.from, QUIET.to));
    const headers = { "idempotency-key": `quiet-${number}` };
    const { body } = await api.send("POST", "/v1/runs", {
      body: { ...RUN, metadata: { run: `quiet ${number}` } },
      headers,
      key,
    });
    await sleep(STAYS);
    await api.send("POST", `/v1/runs/${body.id}/cancel`, { key });
  }
  world.fates.pace = null;
}
