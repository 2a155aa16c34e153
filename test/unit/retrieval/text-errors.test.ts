import { describe, expect, test } from "vitest";
import { textError } from "#retrieval/text-errors";

describe("what is taken for text", () => {
  const texts = ["a", "\ufeffArt. 1º", "x\fy\tz\r\n", "👩‍👩‍👧‍👦", "法律", `one \ufffd in a ${"long enough ".repeat(10)}text`];
  test.each(texts)("%j", (text) => expect(textError(text)).toBeNull());
  const others = ["", " \n\u00a0", "a\0", "\ud800", "%PDF-1.7\u0001\u0002\u0003", "\ufffd\ufffdab"];
  test.each(others)("not %j", (text) => expect(textError(text)).toMatch(/^\p{Lu}.*\.$/u));
});
