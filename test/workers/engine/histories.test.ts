/**
 * Recorded runs, run by the code of today: it must find every step that older code stored, ask nothing again, and come to the same output,
 * to which later code may have added fields.
 * A history that fails says that a run under way would not survive the deployment: raise the workflow's `version` and `min_version`.
 */
import { beforeAll, expect, it } from "vitest";
import { executeRun } from "#engine/execute-run";
import { supportsVersion, type WorkflowDefinition } from "#workflow-kit/workflow";
import { workflows } from "#workflows/index";
import { FakeInstance } from "../../support/fake-instance";
import { bindings, makeTenant } from "../../support/parley";
import { toyDependencies } from "../../support/toy-runs";

type Row = Record<string, string | number | null>;
interface History {
  run: Row;
  artifacts: Row[];
  interactions: Row[];
  /** Data sets that the run reads, with their items; absent: it was recorded before there were any. */
  datasets?: Row[];
  dataset_items?: Row[];
}

const HISTORIES = Object.values(
  import.meta.glob("../../fixtures/histories/*.json", { eager: true, import: "default" }),
) as History[];
const CASES = HISTORIES.map((history) => ({
  history,
  workflow: history.run.workflow,
  version: history.run.workflow_version,
}));

let tenant: string;
beforeAll(async () => {
  ({ tenant } = await makeTenant());
});

const insert = (table: string, row: Row) => {
  const names = Object.keys(row);
  return bindings.DB.prepare(
    `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
  ).bind(...Object.values(row));
};

/** Stores the run as it was before its last step: everything is answered, and it has not ended. */
async function restore({ run, artifacts, interactions, datasets = [], dataset_items = [] }: History): Promise<string> {
  const { status: _status, ...columns } = run;
  const alive = {
    ...columns,
    tenant_id: tenant,
    phase: "running",
    epoch: 1,
    output: null,
    error: null,
    finished_at: null,
  };
  await bindings.DB.batch([
    insert("runs", { ...alive, queued_at: null, steps_done: 0, open_interactions: 0 }),
    ...artifacts.map((row) => insert("artifacts", row)),
    ...datasets.map((row) => insert("datasets", { ...row, tenant_id: tenant })),
    // The database numbers items itself: other tests have data sets too.
    ...dataset_items.map(({ position: _position, ...row }) => insert("dataset_items", { ...row, tenant_id: tenant })),
    ...interactions.flatMap((row) => [
      insert("interactions", { ...row, tenant_id: tenant, status: "open" }),
      bindings.DB.prepare("UPDATE interactions SET status = ? WHERE id = ?").bind(row.status, row.id),
    ]),
  ]);
  return run.id as string;
}

it("each version that a workflow runs has a recorded run", () => {
  const recorded = CASES.map(({ workflow, version }) => `${workflow} v${version}`);
  const playable = Object.values(workflows).flatMap(({ name, version, min_version = 1 }) =>
    Array.from({ length: version - min_version + 1 }, (_, index) => `${name} v${min_version + index}`),
  );
  expect(recorded.toSorted()).toEqual(playable.toSorted());
});

it.each(CASES)("the code runs a recorded run of $workflow v$version to the same output", async ({ history }) => {
  const { run, artifacts } = history;
  const definition = (workflows as Record<string, WorkflowDefinition>)[run.workflow as string]!;
  expect(supportsVersion(definition, run.workflow_version as number)).toBe(true);
  const id = await restore(history);
  await executeRun({ run_id: id, epoch: 1 }, new FakeInstance().live(), workflows, toyDependencies());
  const row = await bindings.DB.prepare("SELECT phase, error, output FROM runs WHERE id = ?").bind(id).first<Row>();
  expect(row).toMatchObject({ phase: "completed", error: null });
  expect(JSON.parse(row!.output as string)).toMatchObject(JSON.parse(run.output as string));
  const stored = await bindings.DB.prepare("SELECT COUNT(*) AS n FROM artifacts WHERE run_id = ?")
    .bind(id)
    .first<Row>();
  expect(stored!.n).toBe(artifacts.length);
});
