/** Endpoints of kind slack and email: people get questions and ends of runs, once each, whatever fails on the way. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seededRandom } from "#workflow-kit/seeded-random";
import type { SeenHook } from "../../../support/model";
import {
  all,
  bindings,
  call,
  type Client,
  hooksOf,
  hookUrl,
  makeTenant,
  openInteraction,
  planHook,
  start,
  until,
} from "../../../support/parley";
import { setUpRuns } from "../../../support/runs";

const MAILBOX = "mail-provider";
const { client } = setUpRuns();
const ASKS = { options: { reviews: ["requirement_draft"], qa_rounds: 0 } };

const endpoint = async (body: object, key = client.test) =>
  (await call("POST", "/v1/webhook-endpoints", { key, body })).body;
const slack = (name: string, key = client.test, more = {}) =>
  endpoint({ kind: "slack", url: hookUrl(name), ...more }, key);
const email = (address: string, key = client.test, more = {}) =>
  endpoint({ kind: "email", url: `mailto:${address}`, ...more }, key);
const read = ({ body }: SeenHook) => JSON.parse(body);
const mailsTo = async (address: string) => (await hooksOf(MAILBOX)).filter((hook) => read(hook).to === address);
const attemptsOf = async (id: string, key = client.test) =>
  (await call("GET", `/v1/webhook-endpoints/${id}/deliveries`, { key })).body.data.flatMap((one: any) => one.attempts);

/** Makes the retries of a tenant due: the maintenance worker wakes their senders. A delivery that is due may be under way, and stays as it is. */
const hurry = (tenant: string) =>
  bindings.DB.prepare(
    "UPDATE deliveries SET next_attempt_at = 0 WHERE tenant_id = ?1 AND status = 'pending' AND next_attempt_at > ?2",
  )
    .bind(tenant, Date.now())
    .run();

/** Statuses, of which about 30 of 100 are failures; the last one is repeated. */
function flaky(seed: number): number[] {
  const random = seededRandom(seed);
  return [
    ...Array.from({ length: 300 }, () => (random() < 0.3 ? [500, 503, 429][Math.floor(random() * 3)]! : 200)),
    200,
  ];
}

afterAll(() => planHook(MAILBOX, [200]));

it("with 30 of 100 requests failing, each message arrives exactly once, over 40 runs", async () => {
  await planHook("flaky-slack", flaky(1));
  await planHook(MAILBOX, flaky(2));
  const runs: { id: string; tenant: Client }[] = [];
  for (let n = 0; n < 10; n++) {
    const tenant = await makeTenant();
    await slack("flaky-slack", tenant.test);
    await email(`all${n}@example.com`, tenant.test);
    const ids = await Promise.all(Array.from({ length: 4 }, () => start(tenant.test, ASKS)));
    runs.push(...ids.map((id) => ({ id, tenant })));
    for (const id of ids) {
      const { id: question } = await openInteraction(tenant.test, id);
      await call("POST", `/v1/interactions/${question}/answer`, { key: tenant.test, body: { decision: "approve" } });
    }
  }
  const left = () =>
    bindings.DB.prepare(
      `SELECT (SELECT COUNT(*) FROM deliveries WHERE status = 'pending' AND tenant_id IN (SELECT value FROM json_each(?1)))
         + (SELECT COUNT(*) FROM runs WHERE phase <> 'completed' AND tenant_id IN (SELECT value FROM json_each(?1))) AS n`,
    )
      .bind(JSON.stringify(runs.map(({ tenant }) => tenant.tenant)))
      .first<number>("n");
  for (let wait = 0; (await left()) !== 0 && wait < 300; wait++) {
    for (const { tenant } of runs) await hurry(tenant.tenant);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  expect(await left()).toBe(0);
  const accepted = async (name: string, seed: number) => {
    const statuses = flaky(seed);
    return (await hooksOf(name)).filter((_, at) => (statuses[at] ?? 200) === 200).map(({ body }) => body);
  };
  for (const [name, seed] of [
    ["flaky-slack", 1],
    [MAILBOX, 2],
  ] as const) {
    const texts = await accepted(name, seed);
    for (const { id } of runs) {
      const about = texts.filter((text) => text.includes(id));
      expect(
        about.filter((text) => text.includes("Your answer is needed")),
        `${name} ${id}`,
      ).toHaveLength(1);
      expect(
        about.filter((text) => text.includes("Completed")),
        `${name} ${id}`,
      ).toHaveLength(1);
      expect(about).toHaveLength(2);
    }
  }
  await planHook(MAILBOX, [200]);
}, 120_000);

describe("a question", () => {
  it("reaches Slack with its title, deadline and a button to its page", async () => {
    await planHook("asks", [200]);
    const { id } = await slack("asks");
    const run = await start(client.test, {
      ...ASKS,
      input: { idea: "A library that lends tools", title: "Tools <!channel> & co" },
    });
    const { callback_url, expires_at } = await openInteraction(client.test, run);
    const [message] = await until(
      "the message",
      async () => (await hooksOf("asks")).length > 0 && (await hooksOf("asks")).map(read),
    );
    expect(message.text).toBe("[Test] Your answer is needed: Tools &lt;!channel&gt; &amp; co");
    const button = message.blocks.at(-1).elements[0];
    expect(button).toMatchObject({ type: "button", url: callback_url });
    expect(JSON.stringify(message.blocks)).toContain(`Answer by: ${expires_at.slice(0, 10)}`);
    const [attempt] = await until("the attempt", async () =>
      (await attemptsOf(id)).length > 0 ? attemptsOf(id) : false,
    );
    expect(attempt.request).toEqual({
      url: `${new URL(bindings.TEST_MODEL_URL).origin}/…`,
      headers: expect.not.objectContaining({ "webhook-signature": expect.anything() }),
    });
    await call("DELETE", `/v1/webhook-endpoints/${id}`, { key: client.test });
  });

  it("is mailed, and after it is addressed to somebody else, to that person with the new link", async () => {
    const { id } = await email("desk@example.com");
    const run = await start(client.test, ASKS);
    const asked = await openInteraction(client.test, run);
    const [first] = await until(
      "the mail",
      async () => (await mailsTo("desk@example.com")).length > 0 && mailsTo("desk@example.com"),
    );
    expect(first!.headers).toMatchObject({
      authorization: "Bearer mail-token-for-tests",
      "idempotency-key": expect.stringMatching(/^evt_\w+\/whe_/),
    });
    expect(read(first!)).toMatchObject({
      from: "Parley <parley@example.com>",
      subject: expect.stringContaining("Your answer is needed"),
      text: expect.stringContaining(asked.callback_url),
      html: expect.stringContaining(`href="${asked.callback_url}"`),
    });
    const [{ id: delivery }] = await all(client.test, `/v1/webhook-endpoints/${id}/deliveries`);
    await call("POST", `/v1/deliveries/${delivery}/redeliver`, { key: client.test });
    const [again] = await until(
      "the mail that is sent again",
      async () => (await mailsTo("desk@example.com")).length > 1 && (await mailsTo("desk@example.com")).slice(1),
    );
    expect(again!.body).toBe(first!.body);
    expect(again!.headers["idempotency-key"]).not.toBe(first!.headers["idempotency-key"]);
    const { body } = await call("POST", `/v1/interactions/${asked.id}/reassign`, {
      key: client.test,
      body: { email: "ada@example.com" },
    });
    const [second] = await until(
      "the second mail",
      async () => (await mailsTo("ada@example.com")).length > 0 && mailsTo("ada@example.com"),
    );
    expect(read(second!).text).toContain(body.callback_url);
    const attempts = JSON.stringify(await attemptsOf(id));
    expect(attempts).not.toContain("mail-token-for-tests");
    expect(attempts).toContain("mailto:desk@example.com");
    await call("DELETE", `/v1/webhook-endpoints/${id}`, { key: client.test });
  });

  it("has a reminder, before its deadline, in Slack", async () => {
    await planHook("reminds", [200]);
    const { id } = await slack("reminds", client.test, { events: ["run.input_reminder"] });
    const { id: question } = await openInteraction(client.test, await start(client.test, ASKS));
    await bindings.DB.prepare("UPDATE interactions SET remind_at = 1 WHERE id = ?").bind(question).run();
    await until("the reminder", async () => (await hooksOf("reminds")).length === 1);
    expect(read((await hooksOf("reminds"))[0]!).text).toContain("Reminder");
    await call("DELETE", `/v1/webhook-endpoints/${id}`, { key: client.test });
  });

  it("changes by no GET or HEAD of a link in a message: Slack unfurls links, scanners of mail follow them", async () => {
    const run = await start(client.test, ASKS);
    const { id, callback_url } = await openInteraction(client.test, run);
    const state = async () =>
      JSON.stringify([
        await bindings.DB.prepare("SELECT * FROM interactions WHERE run_id = ?").bind(run).first(),
        (await bindings.DB.prepare("SELECT * FROM events WHERE run_id = ?").bind(run).all()).results,
        (await bindings.DB.prepare("SELECT * FROM audit_log WHERE tenant_id = ?").bind(client.tenant).all()).results,
      ]);
    const path = new URL(callback_url).pathname;
    const before = await state();
    for (const link of [path, `${path}?decision=approve&answers[q1]=x`, `/console/runs/${run}`])
      for (const method of ["GET", "HEAD"])
        for (const accept of ["text/html", "application/json", "*/*"])
          await call(method, link, { headers: { accept, "user-agent": "Slackbot-LinkExpanding 1.0" } });
    expect(await state()).toBe(before);
    expect((await call("GET", `/v1/interactions/${id}`, { key: client.test })).body.status).toBe("open");
  });
});

it("waits as long as Slack asks for with a 429, and then sends what waits", async () => {
  await planHook("limits", [{ status: 429, delay_ms: 0, headers: { "retry-after": "120" } }, 200]);
  const { id } = await slack("limits");
  const first = (await call("POST", `/v1/webhook-endpoints/${id}/ping`, { key: client.test })).body;
  const delivery = await until("the refusal", async () => {
    const { body } = await call("GET", `/v1/deliveries/${first.id}`, { key: client.test });
    return body.attempts.length === 1 && body;
  });
  const wait = Date.parse(delivery.next_attempt_at) - Date.now();
  expect(wait).toBeGreaterThan(110_000);
  expect(wait).toBeLessThan(125_000);
  await hurry(client.tenant);
  await until(
    "the message",
    async () => (await call("GET", `/v1/deliveries/${first.id}`, { key: client.test })).body.status === "delivered",
  );
  await call("DELETE", `/v1/webhook-endpoints/${id}`, { key: client.test });
});

describe("an endpoint", () => {
  let address: string;
  beforeAll(() => {
    address = hookUrl("secret-path");
  });

  it("of Slack keeps its URL sealed and shows its origin; it has no signing secret", async () => {
    const made = await slack("secret-path");
    expect(made).toMatchObject({ kind: "slack", secret: null, url: `${new URL(address).origin}/…` });
    expect(made.events).toEqual([
      "run.input_required",
      "run.input_reassigned",
      "run.input_reminder",
      "run.completed",
      "run.failed",
      "schedule.failed",
      "budget.reached",
      "model.retiring",
    ]);
    const row = await bindings.DB.prepare("SELECT * FROM webhook_endpoints WHERE id = ?").bind(made.id).first();
    expect(JSON.stringify(row)).not.toContain("secret-path");
    const rotated = await call("POST", `/v1/webhook-endpoints/${made.id}/rotate-secret`, { key: client.test });
    expect(rotated).toMatchObject({ status: 409, body: { code: "webhook_endpoint_unsigned" } });
    await planHook("other-path", [200]);
    await call("PATCH", `/v1/webhook-endpoints/${made.id}`, { key: client.test, body: { url: hookUrl("other-path") } });
    await call("POST", `/v1/webhook-endpoints/${made.id}/ping`, { key: client.test });
    await until("the ping", async () => (await hooksOf("other-path")).length === 1);
    await call("DELETE", `/v1/webhook-endpoints/${made.id}`, { key: client.test });
  });

  it.each<[string, object, string]>([
    ["mail without an address", { kind: "email", url: "https://example.com" }, "url"],
    ["mail to two", { kind: "email", url: "mailto:a@example.com,b@example.com" }, "url"],
    ["mail with a header", { kind: "email", url: "mailto:a@example.com?bcc=b@example.com" }, "url"],
    ["Slack without a URL", { kind: "slack" }, "url"],
    ["Slack that is polled", { kind: "slack", delivery: "poll" }, "delivery"],
    [
      "Slack with a secret",
      { kind: "slack", url: "https://hooks.slack.com/services/a", secret: `whsec_${"a".repeat(40)}` },
      "secret",
    ],
    ["another kind", { kind: "pager", url: "https://example.com" }, "kind"],
  ])("is refused: %s", async (_, body, path) => {
    const { status, body: problem } = await call("POST", "/v1/webhook-endpoints", { key: client.test, body });
    expect([status, problem.errors?.map((fieldError: any) => fieldError.path)]).toEqual([
      422,
      expect.arrayContaining([path]),
    ]);
  });
});
