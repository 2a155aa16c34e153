import { expect, test } from "vitest";
import { shuffled } from "#workflow-kit/seeded-random";

test("a seed decides the order, and every order occurs", () => {
  expect(shuffled([1, 2, 3], 5)).toEqual(shuffled([1, 2, 3], 5));
  expect(new Set(Array.from({ length: 100 }, (_, seed) => shuffled([1, 2, 3], seed).join())).size).toBe(6);
});
