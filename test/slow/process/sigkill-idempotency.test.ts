/** Requests with an Idempotency-Key to a server that is killed meanwhile: they are repeated until they are answered, and each creates one run. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Served } from "../../support/served";

const REQUESTS = 24;
const KILLS = 2;

let served: Served;
beforeAll(async () => {
  served = await Served.start();
});
afterAll(() => served.close());

/** Repeats a request while the server is down, or holds the key for a request that died. */
async function create(n: number): Promise<{ id: string; replayed: boolean }> {
  for (const end = Date.now() + 150_000; Date.now() < end; await sleep(200)) {
    const answer = await served
      .post(
        "/v1/runs",
        served.test_key,
        { workflow: "requirements", input: { idea: `Idea ${n}` }, options: { qa_rounds: 0 } },
        { "idempotency-key": `request-${n}` },
      )
      .catch(() => null); // the connection was cut
    if (answer?.status === 201) {
      return { id: answer.body.id, replayed: answer.headers.get("idempotency-replayed") === "true" };
    }
    if (answer) expect([409, 500, 503], JSON.stringify(answer.body)).toContain(answer.status);
  }
  throw new Error(`Request ${n} was not answered.`);
}

it("each key has made one run, and every run completes", async () => {
  const creating = Promise.all(Array.from({ length: REQUESTS }, async (_, n) => (await sleep(n * 60), create(n))));
  for (let kill = 0; kill < KILLS; kill++) {
    await sleep(700);
    await served.kill();
    await served.up();
  }
  const made = await creating;
  const { data } = await served.api("GET", "/v1/runs?limit=100", served.test_key);
  expect(data.map((run: any) => run.id).toSorted()).toEqual(made.map(({ id }) => id).toSorted());
  expect(new Set(data.map((run: any) => run.about.excerpt)).size).toBe(REQUESTS);
  for (const { id } of made) await served.status(id, "completed", served.test_key);
});
