import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SealError, Secrets } from "#core/secrets";

const OLD = "a secret for tests only, long enough";
const NEW = "another secret for tests, long enough";
const DAY = 24 * 60 * 60_000;
const place = { table: "webhook_endpoints", tenant: "ten_1", id: "whe_1", purpose: "signing secret" };

/** Computed by WebCrypto from OLD. */
const VECTORS = {
  token: "int_1.5d186599.tfpraQknCWtzMsKXSuu8nlBadYcHBxzcYNkEZ4DP_AY",
  seal: "v1.5d186599.AAECAwQFBgcICQoLUGcjF6DniNO9Wv4N5ajjtpjFJdIStvJhI+k=",
};

const secrets = new Secrets(OLD);

beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => {}));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe("a callback token", () => {
  const token = secrets.callbackToken("int_1");

  it("grants access to its interaction", () => {
    expect(secrets.linkOf(token)).toEqual({ id: "int_1", link: 0 });
  });

  it("carries the id of its key", () => {
    expect(token).toBe(VECTORS.token);
  });

  it("is invalid when it is cut, lengthened or made for another interaction", () => {
    const [id, key, mac] = token.split(".");
    const forged = ["", id!, `${id}.`, `${id}.${key}`, `${id}.${key}.`, `${token}.`, `${token}.tail`, `${token}x`];
    const renamed = [
      `int_2.${key}.${mac}`,
      `int_1.${mac}`,
      `.${key}.${mac}`,
      `${id}.${"0".repeat(8)}.${mac}`,
      `${id}..${mac}`,
    ];
    for (const text of [...forged, ...renamed]) expect(secrets.linkOf(text), text).toBeNull();
  });

  it("of a later link is another one, and neither becomes the other by its name", () => {
    const later = secrets.callbackToken("int_1", 2);
    expect(secrets.linkOf(later)).toEqual({ id: "int_1", link: 2 });
    for (const name of ["int_1", "int_1~1", "int_1~20"])
      expect(secrets.linkOf(later.replace("int_1~2", name)), name).toBeNull();
    expect(secrets.linkOf(token.replace("int_1", "int_1~0"))).toBeNull();
  });

  it("is invalid under another secret", () => {
    expect(new Secrets(NEW).linkOf(token)).toBeNull();
  });
});

describe("a sealed secret", () => {
  it("is opened at its place only", () => {
    const sealed = secrets.seal("whsec_hush", place);
    expect(sealed).toMatch(/^v1\.5d186599\./);
    expect(secrets.open(sealed, place)).toBe("whsec_hush");
    for (const other of [{ table: "agents" }, { tenant: "ten_2" }, { id: "whe_2" }, { purpose: "headers" }])
      expect(() => secrets.open(sealed, { ...place, ...other }), JSON.stringify(other)).toThrow(SealError);
  });

  it("opens as WebCrypto sealed it, bound to its place", () => {
    expect(secrets.open(VECTORS.seal, place)).toBe("whsec_hush");
    expect(() => secrets.open(VECTORS.seal, { ...place, id: "whe_2" })).toThrow("made for another place");
    expect(() => secrets.open(VECTORS.seal.slice("v1.5d186599.".length), place)).toThrow("it is no sealed text");
  });

  it("does not open when it was altered or cut", () => {
    const altered = `${VECTORS.seal.slice(0, -6)}AAAA==`;
    for (const text of ["", "v1.", "v1.5d186599.", "v1.5d186599.AAAA", altered, VECTORS.seal.slice(0, 30)])
      expect(() => secrets.open(text, place), text).toThrow(SealError);
  });
});

describe("after a rotation", () => {
  const until = Date.UTC(2030, 0, 31);
  const rotated = new Secrets([
    { secret: NEW, until: null },
    { secret: OLD, until },
  ]);
  const { seal: sealed, token } = VECTORS;

  it("what the old secret has signed and sealed is valid until its date", () => {
    vi.useFakeTimers({ now: until - 1 });
    expect(rotated.linkOf(token)).toEqual({ id: "int_1", link: 0 });
    expect(rotated.open(sealed, place)).toBe("whsec_hush");
  });

  it("the new secret signs and seals", () => {
    vi.useFakeTimers({ now: until - DAY });
    const onlyNew = new Secrets(NEW);
    expect(onlyNew.linkOf(rotated.callbackToken("int_1"))).toEqual({ id: "int_1", link: 0 });
    expect(onlyNew.open(rotated.seal("whsec_hush", place), place)).toBe("whsec_hush");
  });

  it("what the old secret has sealed is sealed again by the new one, once", () => {
    vi.useFakeTimers({ now: until - DAY });
    const again = rotated.reseal(sealed, place)!;
    expect(new Secrets(NEW).open(again, place)).toBe("whsec_hush");
    expect(rotated.reseal(again, place)).toBe(again);
    expect(rotated.reseal(sealed, { ...place, id: "whe_2" })).toBeNull();
    vi.setSystemTime(until);
    expect(rotated.reseal(sealed, place)).toBeNull();
  });

  it("nothing of the old secret is valid from its date on, and the error names row, key and date", () => {
    vi.useFakeTimers({ now: until });
    expect(rotated.linkOf(token)).toBeNull();
    expect(() => rotated.open(sealed, place)).toThrow(
      "The signing secret of whe_1 cannot be opened: the secret with key id 5d186599 was valid until 2030-01-31T00:00:00.000Z.",
    );
    expect(() => new Secrets(NEW).open(sealed, place)).toThrow("key id 5d186599 is not set");
    const lines = vi.mocked(console.error).mock.calls.map(([line]) => JSON.parse(line as string));
    expect(lines[0]).toMatchObject({ table: "webhook_endpoints", id: "whe_1", secret_key: "5d186599" });
  });
});
