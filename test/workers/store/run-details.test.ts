import { expect, it } from "vitest";
import { faultyD1 } from "../../support/faults";
import { bindings } from "../../support/parley";
import { setUpRuns } from "../../support/runs";
import { RunDetailStore } from "#store/run-details";

const { client, start, untilCompleted } = setUpRuns();

it("a run is read with its details in one call of D1, and only by its owner", async () => {
  const id = await start({ workflow: "plain", input: { question: "How many tools are lent?" } });
  await untilCompleted(id);
  let calls = 0;
  const DB = faultyD1(bindings.DB, () => {
    calls++;
    return "ok";
  });
  const details = new RunDetailStore(DB);
  const owner = { tenant_id: client.tenant, mode: "test" } as const;
  const found = await details.withRun(owner, id);
  expect(calls).toBe(1);
  expect(found!.row).toMatchObject({ id, status: "completed" });
  expect(found!.details.stages.length).toBeGreaterThan(0);
  expect(found!.details).toEqual(await details.ofRuns(owner, [id]));
  expect(await details.withRun({ ...owner, mode: "live" }, id)).toBeNull();
  expect(await details.withRun({ ...owner, tenant_id: "ten_other" }, id)).toBeNull();
});
