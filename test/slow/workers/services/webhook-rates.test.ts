/** Webhooks to one host are limited; those over the limit wait, and none is lost. */
import { createHash } from "node:crypto";
import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { composeMaintenance } from "#cloudflare/compose";
import { countDelivery } from "#services/webhooks/destination-rate";
import { WEBHOOK_TYPES } from "#core/vocabulary";
import { received } from "../../../support/hooks";
import {
  all,
  bindings,
  call,
  hooksOf,
  hookUrl,
  makeTenant,
  runWithStatus,
  start,
  until,
} from "../../../support/parley";

/** WEBHOOKS_PER_MINUTE of vitest.config.ts. */
const LIMIT = 60;
const HOST = createHash("sha256").update(new URL(bindings.TEST_MODEL_URL).hostname).digest("hex").slice(0, 32);

/** Moves the clock of the counter into the next minute. */
function nextMinute(name: string): Promise<void> {
  const counter = bindings.RATE_LIMITS.get(bindings.RATE_LIMITS.idFromName(name));
  return (runInDurableObject as any)(counter, (limiter: { begunAt: number }) => {
    limiter.begunAt -= 60_000;
  });
}

it("pings, events and a run's own webhook share the bound of their host; what is over it waits, and a ping says when", async () => {
  const { tenant, test: key } = await makeTenant();
  const [pings, events] = [`${tenant}-pings`.toLowerCase(), `${tenant}-events`.toLowerCase()];
  const endpoint = await call("POST", "/v1/webhook-endpoints", {
    key,
    body: { url: hookUrl(pings), events: ["run.completed"] },
  });
  const ping = () => call("POST", `/v1/webhook-endpoints/${endpoint.body.id}/ping`, { key, body: {} });
  for (let n = 0; n < LIMIT - 3; n++) expect((await ping()).status).toBe(202);
  await received(pings, LIMIT - 3);

  const run = await start(key, {
    options: { qa_rounds: 0 },
    webhook: { url: hookUrl(events), events: WEBHOOK_TYPES.filter((type) => type.startsWith("run.")) },
  });
  const { body: refused, ...reply } = await until("a ping is refused", async () => {
    const answer = await ping();
    return answer.status === 429 && answer;
  });
  expect(refused.code).toBe("rate_limited");
  expect(Number(reply.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect(Number(reply.headers.get("Retry-After"))).toBeLessThanOrEqual(60);

  await runWithStatus(key, run, "completed");
  const deliveries = async () => {
    const own = (await call("GET", `/v1/webhook-endpoints?run_id=${run}`, { key })).body.data[0];
    const lists = [own.id, endpoint.body.id].map((id) => all(key, `/v1/webhook-endpoints/${id}/deliveries`));
    return (await Promise.all(lists)).flat();
  };
  const waiting = await until("the rest waits", async () => {
    const left = (await deliveries()).filter(({ status }) => status === "pending");
    return left.length > 3 && left.every((one) => Date.parse(one.next_attempt_at) > Date.now()) && left;
  });
  for (const { attempts } of waiting) expect(attempts).toEqual([]);
  const sent = async () => (await hooksOf(pings)).length + (await hooksOf(events)).length;
  expect(await sent()).toBe(LIMIT);
  const again = await call("POST", `/v1/deliveries/${waiting[0].id}/redeliver`, { key, body: {} });
  expect(again).toMatchObject({ status: 429, body: { code: "rate_limited" } });

  await nextMinute(`webhooks_${tenant}_${HOST}`);
  await bindings.DB.prepare("UPDATE deliveries SET next_attempt_at = ? WHERE tenant_id = ? AND status = 'pending'")
    .bind(Date.now(), tenant)
    .run();
  await until("all are delivered", async () => (await deliveries()).every(({ status }) => status === "delivered"));
  expect(await sent()).toBe((await deliveries()).length);
});

it("all ports and spellings of a host share its bound, other hosts and tenants do not, and all tenants together have another one", async () => {
  const services = composeMaintenance({
    ...bindings,
    WEBHOOKS_PER_MINUTE: "2",
    WEBHOOKS_PER_MINUTE_OF_ALL: "3",
  } as unknown as Env);
  const host = `${crypto.randomUUID()}.example`;
  const send = async (tenant_id: string, url: string) => (await countDelivery(services, { tenant_id, url })) === null;
  const [one, two, three] = ["ten_1", "ten_2", "ten_3"].map((name) => `${name}_${host}`) as [string, string, string];
  expect(await send(one, `https://${host}/a`)).toBe(true);
  expect(await send(one, `https://${host.toUpperCase()}.:8443/b`)).toBe(true);
  expect(await send(one, `https://${host}/c`)).toBe(false);
  expect(await send(one, `https://other.${host}/`)).toBe(true);
  expect(await send(two, `https://${host}/a`)).toBe(true);
  expect(await send(three, `https://${host}/a`)).toBe(false);
});
