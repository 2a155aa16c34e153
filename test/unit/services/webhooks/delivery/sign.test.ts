import { readFileSync } from "node:fs";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { makeSecret, secretRefusal, sign } from "#services/webhooks/delivery/sign";
import { sharedPath } from "../../../../support/shared";

interface Vector {
  name: string;
  secret: string;
  id: string;
  timestamp: number;
  payload: string;
  signature: string;
}

const VECTORS = sharedPath("data/webhooks/vectors.json");
const vectors = VECTORS ? (JSON.parse(readFileSync(VECTORS, "utf8")).sign as Vector[]) : [];

describe.skipIf(vectors.length === 0)("signatures match the reference vectors (skipped where they are absent)", () => {
  test.each(vectors)("$name", ({ secret, id, timestamp, payload, signature }) => {
    const headers = sign([secret], { id, at: new Date(timestamp * 1000), body: payload });
    expect(headers).toEqual({
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": signature,
    });
  });
});

describe("a receiver that follows Standard Webhooks", () => {
  const message = { id: "evt_01", at: new Date(), body: JSON.stringify({ type: "run.completed", text: "ação ✓" }) };

  test("verifies a body signed with its secret", () => {
    const secret = makeSecret();
    expect(new Webhook(secret).verify(message.body, sign([secret], message))).toEqual(JSON.parse(message.body));
  });

  test("verifies with either of two secrets while one is rotated", () => {
    const secrets = [makeSecret(), makeSecret()];
    const headers = sign(secrets, message);
    for (const secret of secrets) expect(() => new Webhook(secret).verify(message.body, headers)).not.toThrow();
  });

  test("refuses another secret, another body and another id", () => {
    const secret = makeSecret();
    const headers = sign([secret], message);
    expect(() => new Webhook(makeSecret()).verify(message.body, headers)).toThrow("No matching signature");
    expect(() => new Webhook(secret).verify(`${message.body} `, headers)).toThrow("No matching signature");
    expect(() => new Webhook(secret).verify(message.body, { ...headers, "webhook-id": "evt_02" })).toThrow(
      "No matching signature",
    );
  });
});

describe("secrets", () => {
  test("generated ones are valid and differ", () => {
    expect(secretRefusal(makeSecret())).toBeNull();
    expect(makeSecret()).not.toBe(makeSecret());
  });

  test.each([24, 25, 26, 32, 64])("a key of %i bytes is accepted, padded or not", (bytes) => {
    const base64 = Buffer.alloc(bytes, 0xa5).toString("base64");
    expect(secretRefusal(`whsec_${base64}`)).toBeNull();
    expect(secretRefusal(`whsec_${base64.replace(/=+$/, "")}`)).toBeNull();
  });

  test.each([
    "",
    "whsec_",
    "secret",
    Buffer.alloc(32).toString("base64"),
    "whsec_not base64",
    "whsec_A",
    `whsec_${"A".repeat(33)}`,
  ])("refused as not well formed: %j", (secret) => expect(secretRefusal(secret)).toMatch(/base64/));

  test.each([1, 23, 65])("a key of %i bytes is refused for its length", (bytes) => {
    expect(secretRefusal(`whsec_${Buffer.alloc(bytes, 1).toString("base64")}`)).toContain("24 to 64 bytes");
  });
});
