/** JSON that is the same for the same value: names in the order of their UTF-16 units, numbers and texts as in RFC 8785. */
import { expect, it } from "vitest";
import { canonicalJson } from "#workflow-kit/canonical-json";

it("orders members by their names, at every depth, and keeps the order of lists", () => {
  const value = { b: [{ z: 1, y: 2 }, 3], a: { "10": true, "9": null, é: "" }, A: 0, "€": {}, "\u{1f600}": [] };
  expect(canonicalJson(value)).toBe(
    '{"A":0,"a":{"10":true,"9":null,"é":""},"b":[{"y":2,"z":1},3],"€":{},"\u{1f600}":[]}',
  );
});

it("writes numbers and texts in one way", () => {
  expect(canonicalJson(JSON.parse('[1e1, 1E21, -0, 1.50, "\\u0041\\/\\ud800"]'))).toBe('[10,1e+21,0,1.5,"A/\\ud800"]');
});

it("is equal for equal values only", () => {
  expect(canonicalJson(JSON.parse('{"b":1,"a":2}'))).toBe(canonicalJson({ a: 2, b: 1, c: undefined }));
  expect(canonicalJson({ a: [1, 2] })).not.toBe(canonicalJson({ a: [2, 1] }));
  expect(canonicalJson(JSON.parse('{"__proto__":{"x":1}}'))).toBe('{"__proto__":{"x":1}}');
});
