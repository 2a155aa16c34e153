/** The short form of `npm run fuzz`. The seed is fixed, so that a failure comes from the tested change; the long form finds new errors. */
import { expect, it } from "vitest";
import { fuzz, SHORT } from "../../../lab/fuzz/fuzz.ts";

it(
  "every answer to valid, nearly valid and wild requests is one that openapi.json declares, to the last field, and none is a 5xx",
  { timeout: 600_000 },
  async () => {
    const { results } = await fuzz({ ...SHORT, say: () => {} });
    const sent = results.reduce((sum, one) => sum + one.sent, 0);
    const successful = results.filter(({ statuses }) => [...statuses.keys()].some((status) => status < 400));
    // Each failure ends with the command that reproduces it.
    expect(results.flatMap(({ failure }) => failure ?? []).join("\n\n")).toBe("");
    expect(sent).toBeGreaterThanOrEqual(SHORT.requests);
    // Most operations have succeeded at least once.
    expect(successful.length).toBeGreaterThan(results.length * 0.75);
  },
);
