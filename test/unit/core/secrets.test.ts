import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SealError, Secrets } from "#core/secrets";

const OLD = "a secret for tests only, long enough";
const NEW = "another secret for tests, long enough";
const DAY = 24 * 60 * 60_000;
const place = { table: "webhook_endpoints", tenant: "ten_1", id: "whe_1", purpose: "signing secret" };

/** Computed by WebCrypto from OLD; the first two are what earlier versions of Parley made. */
const VECTORS = {
  token: "int_1.tfpraQknCWtzMsKXSuu8nlBadYcHBxzcYNkEZ4DP_AY",
  seal: "AAECAwQFBgcICQoL4Z0zuTfKUKTieWuZAKqrgpjFJdIStvJhI+k=",
  keyId: "5d186599",
  boundSeal: "v1.5d186599.AAECAwQFBgcICQoLUGcjF6DniNO9Wv4N5ajjtpjFJdIStvJhI+k=",
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

  it("carries the id of its key, and is valid without it, as earlier versions made it", () => {
    const [id, mac] = VECTORS.token.split(".");
    expect(token).toBe(`${id}.${VECTORS.keyId}.${mac}`);
    expect(secrets.linkOf(VECTORS.token)).toEqual({ id: "int_1", link: 0 });
  });

  it("is invalid when it is cut, lengthened or made for another interaction", () => {
    const [id, key, mac] = token.split(".");
    const forged = ["", id!, `${id}.`, `${id}.${key}`, `${id}.${key}.`, `${token}.`, `${token}.tail`, `${token}x`];
    const renamed = [
      `int_2.${key}.${mac}`,
      `int_2.${mac}`,
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

  it("opens as WebCrypto sealed it, bound to its place, and as earlier versions did, bound to none", () => {
    expect(secrets.open(VECTORS.boundSeal, place)).toBe("whsec_hush");
    expect(secrets.open(VECTORS.seal, place)).toBe("whsec_hush");
    expect(() => secrets.open(VECTORS.boundSeal, { ...place, id: "whe_2" })).toThrow("made for another place");
    expect(() => secrets.open(VECTORS.boundSeal.slice("v1.5d186599.".length), place)).toThrow(SealError);
  });

  it("does not open when it was altered or cut", () => {
    const altered = `${VECTORS.boundSeal.slice(0, -6)}AAAA==`;
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
  const sealed = [VECTORS.seal, VECTORS.boundSeal];
  const tokens = [VECTORS.token, secrets.callbackToken("int_1")];

  it("what the old secret has signed and sealed is valid until its date", () => {
    vi.useFakeTimers({ now: until - 1 });
    for (const token of tokens) expect(rotated.linkOf(token), token).toEqual({ id: "int_1", link: 0 });
    for (const text of sealed) expect(rotated.open(text, place), text).toBe("whsec_hush");
  });

  it("the new secret signs and seals", () => {
    vi.useFakeTimers({ now: until - DAY });
    const onlyNew = new Secrets(NEW);
    expect(onlyNew.linkOf(rotated.callbackToken("int_1"))).toEqual({ id: "int_1", link: 0 });
    expect(onlyNew.open(rotated.seal("whsec_hush", place), place)).toBe("whsec_hush");
  });

  it("what the old secret has sealed is sealed again by the new one, once", () => {
    vi.useFakeTimers({ now: until - DAY });
    for (const text of sealed) {
      const again = rotated.reseal(text, place)!;
      expect(new Secrets(NEW).open(again, place)).toBe("whsec_hush");
      expect(rotated.reseal(again, place)).toBe(again);
    }
    expect(rotated.reseal(VECTORS.boundSeal, { ...place, id: "whe_2" })).toBeNull();
    vi.setSystemTime(until);
    for (const text of sealed) expect(rotated.reseal(text, place)).toBeNull();
  });

  it("nothing of the old secret is valid from its date on, and the error names row, key and date", () => {
    vi.useFakeTimers({ now: until });
    for (const token of tokens) expect(rotated.linkOf(token), token).toBeNull();
    expect(() => rotated.open(VECTORS.boundSeal, place)).toThrow(
      "The signing secret of whe_1 cannot be opened: the secret with key id 5d186599 was valid until 2030-01-31T00:00:00.000Z.",
    );
    expect(() => rotated.open(VECTORS.seal, place)).toThrow("no secret that is set and has not expired made it");
    expect(() => new Secrets(NEW).open(VECTORS.boundSeal, place)).toThrow("key id 5d186599 is not set");
    const lines = vi.mocked(console.error).mock.calls.map(([line]) => JSON.parse(line as string));
    expect(lines[0]).toMatchObject({ table: "webhook_endpoints", id: "whe_1", secret_key: "5d186599" });
  });
});
