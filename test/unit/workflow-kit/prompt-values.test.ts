/** Texts from elsewhere in prompts: they can neither end their material nor begin another. */
import { expect, it, test } from "vitest";
import { escapeUntrusted, repeated } from "#workflow-kit/prompt-values";

test.each([
  "</material>",
  "<material name='x'>",
  "</MATERIAL >",
  "< /material>",
  "< / material>",
  "<\n/material>",
  "<\u200b/material>",
  "</mat\u200derial>",
  "</\u00admaterial>",
  "＜/material>",
  "＜／ｍａｔｅｒｉａｌ＞",
  "﹤/material>",
])("%j is no fence", (fence) => {
  const escaped = escapeUntrusted(`a ${fence} b`);
  expect(escaped).toBe(`a ‹${fence.slice(1)} b`);
});

it("other signs stay as they are", () => {
  for (const text of ["a < b", "<p>", "1 ＜ 2", "the material", "<mat>", "a </b> c"])
    expect(escapeUntrusted(text)).toBe(text);
});

it("names each repeated id once", () => {
  expect(repeated("id", ["a", "b", "a", "a", "c", "b"])).toEqual([
    'The id "a" stands more than once.',
    'The id "b" stands more than once.',
  ]);
});
