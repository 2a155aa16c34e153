/** A run's own webhook: signed, committed with its event, retried, and never slowing the run. */
import { expect, it } from "vitest";
import { newId } from "#core/ids";
import { received, verified } from "../../support/hooks";
import { bindings, call, hooksOf, hookUrl, planHook, until } from "../../support/parley";
import { setUpRuns } from "../../support/runs";

const { eventsOf, openInteraction, send, start, untilCompleted } = setUpRuns();

const options = { reviews: ["requirement_draft"], qa_rounds: 0 };

async function startWithHook(body: object = {}, statuses?: number[]) {
  const name = newId("whe").toLowerCase();
  if (statuses) await planHook(name, statuses);
  const reply = await send("POST", "/v1/runs", {
    workflow: "requirements",
    input: { idea: "A tool library" },
    webhook: { url: hookUrl(name) },
    metadata: { order: "42" },
    ...body,
  });
  expect(reply.status).toBe(201);
  return { id: reply.body.id as string, secret: reply.body.webhook.secret as string, name };
}

/** Moves the clock: changes the delivery's due time. */
const dueNow = (run: string) =>
  bindings.DB.prepare("UPDATE deliveries SET next_attempt_at = ? WHERE run_id = ? AND status = 'pending'")
    .bind(Date.now(), run)
    .run();

it("carries the whole question with a callback_url that answers it without a key, then the end of the run", async () => {
  const { id, secret, name } = await startWithHook({ options });
  const [first] = await received(name, 1);
  const asked = verified(secret, first!);
  expect(asked).toMatchObject({
    type: "run.input_required",
    data: { run: { id, workflow: "requirements", metadata: { order: "42" } } },
  });
  const { interaction } = asked.data;
  expect(interaction).toMatchObject({ run_id: id, kind: "feedback", status: "open" });

  const path = new URL(interaction.callback_url).pathname;
  expect((await call("GET", path)).body.id).toBe(interaction.id);
  expect((await call("POST", path, { body: { decision: "approve" } })).status).toBe(200);
  await untilCompleted(id);
  const [, second] = await received(name, 2);
  expect(verified(secret, second!)).toMatchObject({ type: "run.completed", data: { output: { accepted: true } } });
});

it("has the event's id as webhook-id, the same at every retry, and the same body", async () => {
  const { id, name } = await startWithHook({ options: { qa_rounds: 0 } }, [500, 503, 200]);
  await untilCompleted(id);
  await received(name, 1);
  for (const count of [2, 3]) {
    await dueNow(id);
    await received(name, count);
  }
  const hooks = await hooksOf(name);
  const ended = (await eventsOf(id)).find((event) => event.type === "run.completed");
  expect(new Set(hooks.map((hook) => hook.headers["webhook-id"]))).toEqual(new Set([ended.id]));
  expect(new Set(hooks.map((hook) => hook.body)).size).toBe(1);
  const row = await until("the delivery is settled", () =>
    bindings.DB.prepare("SELECT status, attempts FROM deliveries WHERE run_id = ? AND status = 'delivered'")
      .bind(id)
      .first<any>(),
  );
  expect(row).toEqual({ status: "delivered", attempts: 3 });
});

it("is retried automatically after five seconds", async () => {
  const { name } = await startWithHook({ options: { qa_rounds: 0 } }, [500, 200]);
  const [first, second] = await received(name, 2, 15_000);
  expect(second!.at - first!.at).toBeGreaterThan(4000);
});

it("is sent once while its outcome cannot be recorded, because writes are held for a backup", async () => {
  const { id, name } = await startWithHook({ options: { qa_rounds: 0 } });
  await bindings.DB.exec(
    `CREATE TRIGGER held BEFORE UPDATE ON deliveries WHEN NEW.run_id = '${id}' BEGIN SELECT RAISE(ABORT, 'writes_are_held'); END`,
  );
  await untilCompleted(id);
  await received(name, 1);
  await new Promise((resolve) => setTimeout(resolve, 4000)); // the maintenance worker wakes the sender several times
  await bindings.DB.exec("DROP TRIGGER held");
  await until("the delivery is settled", () =>
    bindings.DB.prepare("SELECT 1 FROM deliveries WHERE run_id = ? AND status = 'delivered'").bind(id).first(),
  );
  expect(await hooksOf(name)).toHaveLength(1);
});

it("is not sent again after a 410", async () => {
  const { id, name } = await startWithHook({ options: { qa_rounds: 0 } }, [410]);
  await received(name, 1);
  const endpoint = await until("the endpoint is disabled", () =>
    bindings.DB.prepare("SELECT disabled_because FROM webhook_endpoints WHERE run_id = ? AND status = 'disabled'")
      .bind(id)
      .first<any>(),
  );
  expect(endpoint.disabled_because).toBe("receiver_gone");
  expect(await hooksOf(name)).toHaveLength(1);
});

it("that is dead does not slow the run or lose the delivery", async () => {
  const reply = await send("POST", "/v1/runs", {
    workflow: "requirements",
    input: { idea: "A tool library" },
    options: { qa_rounds: 0 },
    webhook: { url: "http://127.0.0.1:9/hook" },
  });
  await untilCompleted(reply.body.id);
  const delivery = await until("an attempt is listed", async () => {
    const row = await bindings.DB.prepare(
      "SELECT d.status, d.attempts, a.error FROM deliveries d JOIN delivery_attempts a ON a.delivery_id = d.id WHERE d.run_id = ?",
    )
      .bind(reply.body.id)
      .first<any>();
    return row;
  });
  expect(delivery).toMatchObject({ status: "pending", attempts: 1, error: expect.any(String) });
});

it("uses the caller's own secret, and receives exactly the requested events", async () => {
  const secret = `whsec_${btoa("0123456789abcdef0123456789abcdef")}`;
  const name = newId("whe").toLowerCase();
  const events = ["run.created", "run.stage_completed", "run.artifact_created"];
  const id = await start({ options: { qa_rounds: 0 }, webhook: { url: hookUrl(name), events, secret } });
  await untilCompleted(id);
  const wanted = (await eventsOf(id)).filter((event) => events.includes(event.type)).map((event) => event.id);
  const hooks = await received(name, wanted.length);
  for (const hook of hooks) verified(secret, hook);
  expect(new Set(hooks.map((hook) => hook.headers["webhook-id"]))).toEqual(new Set(wanted));
});

it("never shows a callback_url in an event", async () => {
  const { id } = await startWithHook({ options });
  const interaction = await openInteraction(id);
  expect(interaction.callback_url).toContain("/v1/callbacks/");
  expect(JSON.stringify(await eventsOf(id))).not.toContain("callbacks");
});
