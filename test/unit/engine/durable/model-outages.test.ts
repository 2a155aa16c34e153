/** When a model that fails is asked again. */
import { expect, it } from "vitest";
import { ModelOutages } from "#engine/durable/model-outages";

const MODEL = "x/y";
const MAX_DURATION_MS = 5 * 60_000;
const FAILURE = { code: "provider_unreachable", options: { retryable: true } } as const;

it.each([1, 400, 500, 501, 10_000])("a model is not asked again at once %s ms before the end of the wait", (left) => {
  const outages = new ModelOutages();
  const begin = Date.parse("2026-01-01T00:00:00Z");
  outages.fail(MODEL, FAILURE, { began: begin, now: begin, longest: MAX_DURATION_MS });
  const now = begin + MAX_DURATION_MS - left;
  outages.fail(MODEL, FAILURE, { began: now, now, longest: MAX_DURATION_MS });
  const wait = outages.waitOf(MODEL, now);
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(Math.max(left, 1000));
});
