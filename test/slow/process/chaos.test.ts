/** The short form of `npm run chaos`: two runs of every workflow, with all faults, on a server that is killed. */
import { expect, it } from "vitest";
import { chaos, SHORT } from "../../../lab/chaos/chaos.ts";

it(
  "runs of every workflow survive a failing model, a failing receiver, people who answer twice and SIGKILL: nothing is lost or doubled",
  { timeout: 600_000 },
  async () => {
    const { records, outages, violations, calls, received, seed } = await chaos({ ...SHORT, say: () => {} });
    expect(violations.join("\n"), `Again: npm run chaos -- --short --seed ${seed}`).toBe("");
    const expected = records.map(({ plan }) => (plan.remove_at === null ? "completed" : "removed"));
    expect(records.map(({ status }) => status)).toEqual(expected);
    expect(new Set(records.map(({ plan }) => plan.scenario.workflow)).size).toBe(6);
    // Faults were injected.
    expect(outages.all).toHaveLength(SHORT.kills);
    expect(calls.filter(({ outcome }) => outcome !== "good").length).toBeGreaterThan(0);
    expect(received.filter(({ outcome }) => outcome !== "taken").length).toBeGreaterThan(0);
  },
);
