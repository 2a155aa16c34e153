import { expect, it } from "vitest";
import { FixedWindow } from "../../../src/rate-limits/window";

const QUOTA = { limit: 2, window_ms: 60_000 };

it("lets in so many in a window, says what is left, and begins anew after its end", () => {
  const window = new FixedWindow();
  expect(window.take(QUOTA, 1000)).toEqual({ allowed: true, remaining: 1, resets_in_ms: 60_000 });
  expect(window.take(QUOTA, 31_000)).toEqual({ allowed: true, remaining: 0, resets_in_ms: 30_000 });
  expect(window.take(QUOTA, 60_999)).toEqual({ allowed: false, remaining: 0, resets_in_ms: 1 });
  expect(window.take(QUOTA, 61_000)).toEqual({ allowed: true, remaining: 1, resets_in_ms: 60_000 });
});
