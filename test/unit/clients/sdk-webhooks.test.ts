import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Parley, WebhookVerificationError } from "../../../clients/typescript/src/index";
import { sign } from "#services/webhooks/delivery/sign";
import { sharedPath } from "../../support/shared";

const { unwrap } = new Parley({ baseURL: "https://parley.test" }).webhooks;
const secret = () => `whsec_${randomBytes(32).toString("base64")}`;
const body = '{"type":"webhook.ping","timestamp":"2026-11-21T09:30:00.000Z","data":{}}';

describe("webhooks that Parley has signed", () => {
  const [old, current] = [secret(), secret()];
  const headers = sign([old, current], { id: "evt_1", at: new Date(), body });

  it("are parsed with either secret of a rotation, from text or bytes, and from any form of headers", async () => {
    expect((await unwrap(body, headers, old)).type).toBe("webhook.ping");
    expect((await unwrap(body, headers, [secret(), current])).type).toBe("webhook.ping");
    expect((await unwrap(new TextEncoder().encode(body), new Headers(headers), current)).type).toBe("webhook.ping");
    const capital = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]));
    expect((await unwrap(body, capital, current)).type).toBe("webhook.ping");
  });

  it("are refused when anything was changed, is missing, or is too old", async () => {
    const refused = (...given: Parameters<typeof unwrap>) =>
      expect(unwrap(...given)).rejects.toBeInstanceOf(WebhookVerificationError);
    await refused(`${body} `, headers, old);
    await refused(body, headers, secret());
    await refused(body, { ...headers, "webhook-id": "evt_2" }, old);
    await refused(body, { ...headers, "webhook-timestamp": undefined }, old);
    await refused(body, { ...headers, "webhook-signature": "v1,%%%" }, old);
    await refused(
      body,
      { ...headers, "webhook-signature": headers["webhook-signature"]!.replaceAll("v1,", "v2,") },
      old,
    );
    await refused(body, headers, old, { now: Date.now() + 302_000 });
    await refused(body, headers, old, { now: Date.now() - 302_000 });
  });
});

const file = sharedPath("data/webhooks/vectors.json");
describe.skipIf(!file)("the vectors of Standard Webhooks", () => {
  const vectors = file ? JSON.parse(readFileSync(file, "utf8")) : { sign: [], verify: [] };

  it("signatures that its libraries made are accepted", async () => {
    for (const { secret: own, id, timestamp, payload, signature } of vectors.sign) {
      const headers = { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": signature };
      expect(await unwrap(payload, headers, own, { now: timestamp * 1000 })).toEqual(JSON.parse(payload));
    }
  });

  it("each message is accepted or refused as they say", async () => {
    const outcomes: [string, string][] = [];
    for (const { name, secret: own, payload, now, headers } of vectors.verify) {
      const accepted = unwrap(payload, headers, own, { now: now * 1000 }).then(() => "accept");
      outcomes.push([name, await accepted.catch(() => "reject")]);
    }
    expect(outcomes).toEqual(
      vectors.verify.map((vector: { name: string; expect: string }) => [vector.name, vector.expect]),
    );
  });
});
