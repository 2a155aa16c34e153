import { afterAll, expect, it } from "vitest";
import { completeGlobals } from "../../../src/node/globals";

const { fetch } = globalThis;
const before = Reflect.get(globalThis, "scheduler") as unknown;
afterAll(() => {
  Object.assign(globalThis, { scheduler: before, fetch });
  delete (crypto.subtle as { digest?: unknown }).digest; // that of the prototype again
});

it("a digest is that of WebCrypto: for texts, parts of buffers, large data, and each name of an algorithm", async () => {
  const whole = crypto.getRandomValues(new Uint8Array(60_000));
  const large = new Uint8Array(1024 * 1024 + 1).fill(7);
  const cases: [string | { name: string }, ArrayBuffer | Uint8Array][] = [
    ["SHA-256", whole],
    ["SHA-256", whole.buffer],
    [{ name: "SHA-256" }, whole.subarray(100, 200)],
    ["SHA-1", whole],
    ["SHA-512", whole],
    ["SHA-256", large],
  ];
  const digests = () => Promise.all(cases.map(([name, data]) => crypto.subtle.digest(name, data as BufferSource)));
  const expected = await digests();
  completeGlobals();
  expect(crypto.subtle.digest).not.toBe(SubtleCrypto.prototype.digest);
  expect(await digests()).toEqual(expected);
});

it("text is posted without Node's own fetch", () => {
  completeGlobals();
  expect(globalThis.fetch).not.toBe(fetch);
});
