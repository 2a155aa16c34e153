import { expect, test } from "vitest";
import { DARK, darkStyle } from "#workflow-kit/drawing";
import { drawMatrix } from "#workflows/ideation/reports/drawings/matrix";

test("the dark style replaces fills and strokes, except in groups that keep their colours", () => {
  const style = darkStyle({ "#ffffff": "#000000" });
  expect(style).toMatch(/^<style>@media \(prefers-color-scheme:dark\)\{.*\}<\/style>$/);
  expect(style).toContain('[fill="#ffffff"]:not(.constant *){fill:#000000}');
  expect(style).toContain('[stroke="#ffffff"]:not(.constant *){stroke:#000000}');
  expect(Object.values(DARK).every((colour) => /^#[0-9a-f]{6}$/.test(colour))).toBe(true);
});

test("the matrix keeps the colours of its values in the dark, and its text changes", () => {
  const measure = { method: "lexical", model: "words", threshold: 0.5 } as const;
  const svg = drawMatrix(
    "t",
    [
      { id: "i1", name: "One" },
      { id: "i2", name: "Two" },
    ],
    () => 0.3,
    measure,
  );
  const cells = /<g class="constant">(.*?)<\/g>/s.exec(svg)![1]!;
  expect(cells).toContain("<path");
  expect(cells).not.toContain("One");
  expect(svg).toContain("prefers-color-scheme:dark");
});
