/** DELETE when the platform fails: the rest stays for another DELETE, or for the keeper. */
import { createExecutionContext } from "cloudflare:test";
import { expect, it } from "vitest";
import { composeServices } from "#cloudflare/compose";
import { createApp } from "#api/http/app";
import { bindings, until } from "../../support/parley";
import { setUpRuns } from "../../support/runs";

const { client, play, send } = setUpRuns();

/** DELETE of a run by a Worker with these bindings instead of its own. */
const deleteWith = async (broken: Partial<Env>, id: string) => {
  const env = { ...bindings, ...broken } as Env;
  const request = new Request(`http://parley.test/v1/runs/${id}`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${client.test}` },
  });
  return createApp<Env>(composeServices).fetch(request, env, createExecutionContext());
};
const lost = () => Promise.reject(new Error("Network connection lost."));
const ended = (body: object = {}) => play({ options: { strategy: "single_model" }, ...body });

it("is a 503 that keeps the run while its instance stays, and can be repeated", async () => {
  const { id } = await ended();
  const asked: string[] = [];
  const get = async (instance: string) => (asked.push(instance), { delete: lost });
  expect((await deleteWith({ RUNS: { get } as unknown as Env["RUNS"] }, id)).status).toBe(503);
  expect(asked).toEqual([`${id}-e1`]);
  expect((await send("GET", `/v1/runs/${id}`)).body.status).toBe("completed");
  expect((await send("DELETE", `/v1/runs/${id}`)).status).toBe(204);
  expect((await send("GET", `/v1/runs/${id}`)).status).toBe(404);
});

it("succeeds when an instance was already deleted", async () => {
  const { id } = await ended();
  await ((await bindings.RUNS.get(`${id}-e1`)) as unknown as { delete(): Promise<void> }).delete();
  expect((await send("DELETE", `/v1/runs/${id}`)).status).toBe(204);
});

it("leaves objects that it could not remove to the keeper, which it armed", async () => {
  const stakeholders = Array.from({ length: 8 }, (_, n) => ({ name: `S${n}`, profile: "€".repeat(2000) }));
  const { id } = await ended({ input: { idea: "x", background: "ä".repeat(20_000), stakeholders } });
  const key = `${client.tenant}/${id}/input`;
  expect(await bindings.BUCKET.head(key)).not.toBeNull();
  let armed = 0;
  const arm = async () => void armed++;
  const reply = await deleteWith(
    {
      BUCKET: { list: lost } as unknown as Env["BUCKET"],
      KEEPER: { idFromName: () => "keeper", get: () => ({ arm }) } as unknown as Env["KEEPER"],
    },
    id,
  );
  expect(reply.status).toBe(204);
  expect(armed).toBe(1);
  await until("the object is gone", async () => (await bindings.BUCKET.head(key)) === null);
});
