/**
 * `npm run fuzz` in short. The seed is fixed, so that a failure is the fault of the change at hand; the long form is for finding what
 * nobody has thought of.
 */
import { expect, it } from "vitest";
import { fuzz, SHORT } from "../../scripts/fuzz/fuzz.mjs";

it(
  "every answer to valid, nearly valid and wild requests is one that openapi.json declares, to the last field, and none is a 5xx",
  { timeout: 600_000 },
  async () => {
    const { results } = await fuzz({ ...SHORT, say: () => {} });
    const sent = results.reduce((sum, one) => sum + one.sent, 0);
    const successful = results.filter(({ statuses }) => [...statuses.keys()].some((status) => status < 400));
    // Each failure ends with the command that repeats it.
    expect(results.flatMap(({ failure }) => failure ?? []).join("\n\n")).toBe("");
    expect(sent).toBeGreaterThanOrEqual(SHORT.requests);
    // Most of what can be done was done, and not only refused.
    expect(successful.length).toBeGreaterThan(results.length * 0.75);
  },
);
