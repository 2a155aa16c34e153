import { expect, test } from "vitest";
import { JITTER, nextAttemptAt } from "#services/webhooks/delivery/schedule";

const NOW = Date.UTC(2026, 10, 21);
const WAITS_IN_SECONDS = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];

test("retries wait 5 s, 5 m, 30 m, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h", () => {
  const waits = WAITS_IN_SECONDS.map((_, index) => (nextAttemptAt(index + 1, NOW, () => 0)! - NOW) / 1000);
  expect(waits).toEqual(WAITS_IN_SECONDS);
});

test("a wait is never shorter than scheduled, and longer by a tenth at most", () => {
  for (const [index, seconds] of WAITS_IN_SECONDS.entries()) {
    const wait = nextAttemptAt(index + 1, NOW)! - NOW;
    expect(wait).toBeGreaterThanOrEqual(seconds * 1000);
    expect(wait).toBeLessThanOrEqual(seconds * 1000 * (1 + JITTER));
  }
});

test("after the last retry there is no other", () => {
  expect(nextAttemptAt(WAITS_IN_SECONDS.length + 1, NOW)).toBeNull();
});
