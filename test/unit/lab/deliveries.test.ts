/** The law of chaos and simulation about webhooks: every event of an endpoint is listed once, and was delivered as it is listed. */
import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import { judgeDeliveries } from "../../../lab/chaos/deliveries.ts";
import { Outages } from "../../../lab/lib/client.ts";

const SECRET = `whsec_${Buffer.from("twenty-four bytes or more").toString("base64")}`;
const ID = "evt_01MBFYTM23NBT767WYVHD00000";
const LISTENER = {
  id: "whe_1",
  path: "/hook",
  secret: SECRET,
  events: [{ id: ID, type: "run.completed", run_id: "run_1" }],
};
const AT = Date.now();

/** A webhook as it arrived. */
function arrived({
  outcome = "taken",
  type = "run.completed",
  secret = SECRET,
  at = AT,
  id = ID,
  body: more = {},
} = {}) {
  const body = JSON.stringify({ type, data: { event: { id } }, ...more });
  const signature = new Webhook(secret).sign(id, new Date(at), body);
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at / 1000)),
    "webhook-signature": signature,
  };
  return { path: "/hook", headers, body, at, ended_at: at + 10, outcome };
}

const attempt = (status: number, id = ID) => ({ request: { headers: { "webhook-id": id } }, response: { status } });
const listed = (attempts: unknown[] = [attempt(200)], status = "delivered") => ({ event_id: ID, status, attempts });

const judge = (log: unknown[], received: unknown[], outages = new Outages()) =>
  judgeDeliveries(LISTENER, log as any[], received as any[], outages as any).map((text) =>
    text.replace(`/hook: run.completed ${ID} `, ""),
  );

it("finds nothing wrong with an event that was delivered, also after attempts that failed", () => {
  expect(judge([listed()], [arrived()])).toEqual([]);
  expect(judge([listed([attempt(500), attempt(200)])], [arrived({ outcome: "refused" }), arrived()])).toEqual([]);
});

it("finds an event that is not listed, or listed twice", () => {
  expect(judge([], [arrived()])).toEqual(["is 0 times in the log"]);
  expect(judge([listed(), listed()], [arrived()])).toContain("is 2 times in the log");
});

it("finds an event that never arrived, was not delivered, or is listed without the attempt that was taken", () => {
  expect(judge([listed()], [])).toEqual(["was never taken; it arrived 0 times"]);
  expect(judge([listed([attempt(500)], "failed")], [arrived({ outcome: "refused" })])).toEqual([
    "was never taken; it arrived 1 times",
    "is failed",
    "is delivered without an attempt that was taken",
  ]);
});

it("finds a bad signature, another body, and another event's body", () => {
  const other = `whsec_${Buffer.from("another secret of 24 bytes").toString("base64")}`;
  expect(judge([listed()], [arrived({ secret: other })])).toEqual([expect.stringContaining("has a bad signature")]);
  const twice = [attempt(200), attempt(200)];
  expect(judge([listed(twice)], [arrived(), arrived({ body: { more: 1 } })])).toEqual([
    expect.stringContaining("arrived with different bodies"),
  ]);
  expect(judge([listed()], [arrived({ type: "run.failed" })])).toEqual([
    expect.stringContaining("has the body of run.failed"),
  ]);
});

it("takes a signature of long ago, as long as it is right", () => {
  expect(judge([listed()], [arrived({ at: AT - 3_600_000 })])).toEqual([]);
});

it("finds attempts that are not listed, unless a kill or an outage of storage cut their record off", () => {
  const received = [arrived({ outcome: "refused" }), arrived()];
  expect(judge([listed()], received)).toEqual([expect.stringContaining("arrived 2 times")]);
  const killed = new Outages();
  killed.all.push({ from: AT, to: AT + 100 });
  expect(judge([listed()], received, killed)).toEqual([]);
  const away = new Outages();
  away.storage.push({ from: AT + 3000, to: AT + 9000 } as never);
  expect(judge([listed()], received, away)).toEqual([]);
});

it("finds webhooks of unknown events, and attempts under another id", () => {
  const unknown = "evt_01MBFYTM23NBT767WYVHD00001";
  expect(judge([listed()], [arrived(), arrived({ id: unknown })])).toEqual([
    `/hook: webhooks arrived for unknown events: ${unknown}`,
  ]);
  expect(judge([listed([attempt(200, unknown)])], [arrived()])).toEqual(["was listed under another id"]);
});
