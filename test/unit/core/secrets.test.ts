import { describe, expect, it } from "vitest";
import { Secrets } from "#core/secrets";

const secrets = new Secrets("a secret for tests only, long enough");

describe("a callback token", () => {
  const token = secrets.callbackToken("int_1");

  it("grants access to its interaction", () => {
    expect(secrets.interactionOf(token)).toBe("int_1");
  });

  it("is invalid when it is cut, lengthened or made for another interaction", () => {
    const [id, mac] = token.split(".");
    for (const forged of ["", id!, `${id}.`, `${token}.`, `${token}.tail`, `${token}x`, `int_2.${mac}`, `.${mac}`])
      expect(secrets.interactionOf(forged), forged).toBeNull();
  });

  it("is invalid under another secret", () => {
    expect(new Secrets("another secret for tests, long enough").interactionOf(token)).toBeNull();
  });
});
