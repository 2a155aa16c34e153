import { expect, it } from "vitest";
import { removeRun } from "#services/runs/remove-run";
import type { Services } from "#services/services";
import type { RunRow } from "#store/rows";

/** A platform and a store that record what they are told. @param removed whether the run's row is removed */
function removing(removed: boolean) {
  const told: string[] = [];
  const tell = async (what: string) => void told.push(what);
  const services = {
    platform: { deleteInstances: () => tell("instances"), returnPermits: () => tell("permits") },
    store: {
      runs: { remove: async () => (await tell("row"), removed), removeObjects: () => tell("objects") },
    },
    settings: { llm_timeout_ms: 60_000 },
  } as unknown as Services;
  return { services, told };
}
const run = { id: "run_1", tenant_id: "ten", epoch: 1, finished_at: Date.now() } as RunRow;

it("returns the permits of a run after its row is removed", async () => {
  const { services, told } = removing(true);
  expect(await removeRun(services, run)).toBe(true);
  expect(told.indexOf("permits")).toBeGreaterThan(told.indexOf("row"));
});

it("leaves a run its permits when it was retried meanwhile: they are those of its new calls", async () => {
  const { services, told } = removing(false);
  expect(await removeRun(services, run)).toBe(false);
  expect(told).toEqual(["instances", "row"]);
});
