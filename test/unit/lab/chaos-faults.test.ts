/** The faults of `npm run chaos` on a host that lacks an optional binding. */
import { expect, it } from "vitest";
import { withFaults } from "../../support/faults";

it("a binding that the host does not have stays absent, so that the Worker continues without it", () => {
  const binding = { get: () => ({}), idFromName: (name: string) => name };
  const env = { DB: {}, BUCKET: {}, RUNS: {}, MAINTENANCE: binding, COMMITTERS: undefined } as unknown as Env;
  const { MAINTENANCE, COMMITTERS } = withFaults(env, () => "ok");
  expect([MAINTENANCE === undefined, COMMITTERS]).toEqual([false, undefined]);
});
