import { describe, expect, test } from "vitest";
import { textFault } from "#retrieval/text-faults";

describe("what is taken for text", () => {
  const texts = ["a", "\ufeffArt. 1º", "x\fy\tz\r\n", "👩‍👩‍👧‍👦", "法律", `one \ufffd in a ${"long enough ".repeat(10)}text`];
  test.each(texts)("%j", (text) => expect(textFault(text)).toBeNull());
  const others = ["", " \n\u00a0", "a\0", "\ud800", "%PDF-1.7\u0001\u0002\u0003", "\ufffd\ufffdab"];
  test.each(others)("not %j", (text) => expect(textFault(text)).toMatch(/^\p{Lu}.*\.$/u));
});
