/** `npm run chaos` in short: every workflow twice, with all faults, in a server that is killed. */
import { expect, it } from "vitest";
import { chaos, SHORT } from "../../scripts/chaos/chaos.mjs";

it(
  "runs of every workflow survive a failing model, a failing receiver, people who answer twice and SIGKILL: nothing is lost or doubled",
  { timeout: 600_000 },
  async () => {
    const { stories, outages, wrong, calls, received, seed } = await chaos({ ...SHORT, say: () => {} });
    expect(wrong.join("\n"), `Again: npm run chaos -- --short --seed ${seed}`).toBe("");
    expect(stories.map(({ status }) => status)).toEqual(stories.map(() => "completed"));
    expect(new Set(stories.map(({ plan }) => plan.scenario.workflow)).size).toBe(4);
    // It was a storm.
    expect(outages.all).toHaveLength(SHORT.kills);
    expect(calls.filter(({ outcome }) => outcome !== "good").length).toBeGreaterThan(0);
    expect(received.filter(({ outcome }) => outcome !== "taken").length).toBeGreaterThan(0);
  },
);
