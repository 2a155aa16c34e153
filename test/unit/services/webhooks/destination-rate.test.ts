import { expect, test } from "vitest";
import { assertMaySend, countDelivery } from "#services/webhooks/destination-rate";

const URL = "https://hooks.example/a";

/** Counters of a minute that has not ended. */
function counters(webhook_rates: { of_tenant: number; of_all: number }) {
  const counts = new Map<string, number>();
  const admit = async (name: string, limit: number, count: 0 | 1) => {
    const used = counts.get(name) ?? 0;
    if (used >= limit) return { admitted: false, resets_in_ms: 1000 };
    counts.set(name, used + count);
    return { admitted: true };
  };
  const services = { platform: { admit }, settings: { webhook_rates, mail: { per_minute: 3 } } } as never;
  const of = (tenant_id: string) => ({ tenant_id, url: URL });
  const used = (tenant: string) => [...counts].find(([name]) => name.includes(tenant))?.[1] ?? 0;
  return {
    used,
    count: (tenant: string) => countDelivery(services, of(tenant)),
    mail: (tenant: string, to: string) => countDelivery(services, { tenant_id: tenant, url: `mailto:${to}` }),
    assertMail: (tenant: string) => assertMaySend(services, { tenant_id: tenant, url: "mailto:a@example.com" }),
    assert: (tenant: string) => assertMaySend(services, of(tenant)),
  };
}

test("a webhook that the host takes no more of uses nothing of its tenant's rate", async () => {
  const { count, used, assert } = counters({ of_tenant: 5, of_all: 2 });
  expect(await count("ten_a")).toBeNull();
  expect(await count("ten_b")).toBeNull();
  for (let nth = 0; nth < 10; nth++) expect(await count("ten_b")).toBe(1000);
  expect(used("ten_b")).toBe(1);
  await expect(assert("ten_b")).rejects.toThrow(/one host/);
});

test("a webhook that its tenant may send no more of uses nothing of the host's rate", async () => {
  const { count } = counters({ of_tenant: 1, of_all: 2 });
  expect(await count("ten_a")).toBeNull();
  for (let nth = 0; nth < 10; nth++) expect(await count("ten_a")).toBe(1000);
  expect(await count("ten_b")).toBeNull();
});

test("a request that is only asked for is not counted", async () => {
  const { count, assert } = counters({ of_tenant: 1, of_all: 1 });
  for (let nth = 0; nth < 3; nth++) await assert("ten_a");
  expect(await count("ten_a")).toBeNull();
});

test("mail of a tenant is limited by the minute, whatever its addresses, and another tenant's is not", async () => {
  const { mail, assertMail, count } = counters({ of_tenant: 100, of_all: 100 });
  for (let nth = 0; nth < 3; nth++) expect(await mail("ten_a", `${nth}@example.com`)).toBeNull();
  expect(await mail("ten_a", "other@example.org")).toBe(1000);
  await expect(assertMail("ten_a")).rejects.toThrow(/As many mails have been sent/);
  expect(await mail("ten_b", "a@example.com")).toBeNull();
  expect(await count("ten_a")).toBeNull();
});
