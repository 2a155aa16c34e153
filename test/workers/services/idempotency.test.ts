/** Idempotency-Key when a request dies: D1 has key, run, first event and answer together, or none of them. */
import { createExecutionContext } from "cloudflare:test";
import { beforeEach, expect, it } from "vitest";
import { composeServices } from "#cloudflare/compose";
import { createApp } from "#api/http/app";
import { all, bindings, call, type Client, eventsOf, makeTenant, runWithStatus } from "../../support/parley";

let client: Client;
let key: string;
beforeEach(async () => {
  client = await makeTenant();
  key = crypto.randomUUID();
});

const BODY = { workflow: "requirements", input: { idea: "A tool library" }, options: { qa_rounds: 0 } };
const post = () => call("POST", "/v1/runs", { key: client.test, body: BODY, headers: { "idempotency-key": key } });
/** The same request, to a Worker with these bindings in place of its own. */
const postWith = (other: Partial<Env>): Promise<Response> => {
  const request = new Request("http://parley.test/v1/runs", {
    method: "POST",
    headers: { authorization: `Bearer ${client.test}`, "content-type": "application/json", "idempotency-key": key },
    body: JSON.stringify(BODY),
  });
  return Promise.resolve(
    createApp<Env>(composeServices).fetch(request, { ...bindings, ...other } as Env, createExecutionContext()),
  );
};
const never = () => new Promise<never>(() => {});

/** D1, whose batch that writes a run notifies `gate` and waits for it. */
function gatedDb(gate: (reached: () => void) => Promise<void>): { DB: D1Database; reached: Promise<void> } {
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  const writesRun = new WeakSet<D1PreparedStatement>();
  const DB = {
    prepare(sql: string) {
      const statement = bindings.DB.prepare(sql);
      if (!sql.startsWith("INSERT INTO runs")) return statement;
      const bind = (...values: unknown[]) => {
        const bound = statement.bind(...values);
        writesRun.add(bound);
        return bound;
      };
      return { bind };
    },
    async batch(statements: D1PreparedStatement[]) {
      if (statements.some((statement) => writesRun.has(statement))) await gate(resolve);
      return bindings.DB.batch(statements);
    },
  };
  return { DB: DB as unknown as D1Database, reached };
}
const sixtySecondsLater = () =>
  bindings.DB.prepare("UPDATE idempotency_keys SET claimed_at = claimed_at - 60001 WHERE key = ?").bind(key).run();

it("a request that died after the commit is answered with its run, which the maintenance worker starts", async () => {
  const { promise: died, resolve } = Promise.withResolvers<void>();
  const create = () => (resolve(), never());
  void postWith({ RUNS: { create } as unknown as Env["RUNS"] });
  await died;
  const again = await post();
  expect(again.status).toBe(201);
  expect(again.headers.get("idempotency-replayed")).toBe("true");
  expect(again.headers.get("location")).toBe(`/v1/runs/${again.body.id}`);
  expect((await all(client.test, "/v1/runs")).map(({ id }) => id)).toEqual([again.body.id]);
  expect((await eventsOf(client.test, again.body.id))[0]).toMatchObject({ seq: 1, type: "run.created" });
  await runWithStatus(client.test, again.body.id, "completed");
});

it("a request that died before the commit has left no run, and its key is free after 60 seconds", async () => {
  const { DB, reached } = gatedDb((at) => (at(), never()));
  void postWith({ DB });
  await reached;
  expect((await post()).body.code).toBe("idempotency_key_in_flight");
  expect(await all(client.test, "/v1/runs")).toEqual([]);
  await sixtySecondsLater();
  const again = await post();
  expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([201, null]);
  expect(await all(client.test, "/v1/runs")).toHaveLength(1);
});

it("a request that was only slow finds its key taken, and makes no second run", async () => {
  const gate = Promise.withResolvers<void>();
  const { DB, reached } = gatedDb((at) => (at(), gate.promise));
  const slow = postWith({ DB });
  await reached;
  await sixtySecondsLater();
  const other = await post();
  expect(other.status).toBe(201);
  gate.resolve();
  const reply = await slow;
  expect(reply.status).toBe(409);
  expect(await reply.json()).toMatchObject({ code: "idempotency_key_in_flight" });
  expect((await all(client.test, "/v1/runs")).map(({ id }) => id)).toEqual([other.body.id]);
  expect((await post()).body).toEqual(other.body);
});

it("a failure of storage is a 503 that says when to come back, and is not stored: the next request counts as the first", async () => {
  const { DB } = gatedDb(() => Promise.reject(new Error("D1_ERROR: Network connection lost.")));
  const failed = await postWith({ DB });
  expect([failed.status, failed.headers.get("retry-after")]).toEqual([503, "5"]);
  const again = await post();
  expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([201, null]);
});
