import type { Fault } from "#core/errors";
import type { Owner } from "#core/owner";
import type { Store } from "#store/store";
import { validationProblem } from "../fields/faults";
import type { ResolvedModels } from "#llm";
import type { Dataset, DatasetItem } from "#workflow-kit/datasets";
import type { WorkflowDefinition } from "#workflow-kit/workflow";
import type { Services } from "../services";
import { childChecker } from "./check-child";
import { collectFaults, type RunOwner } from "./request-parts";

interface DatasetUse {
  owner: RunOwner;
  input: unknown;
  /** Absent when they are not valid, like `models`. */
  options: unknown;
  models: ResolvedModels | null | undefined;
  max_cost_usd: number | null;
}

/** Faults of the data sets that a request names, and of the request together with their items. */
export async function datasetFaults(
  services: Services,
  workflow: WorkflowDefinition,
  { owner, input, options, models, max_cost_usd }: DatasetUse,
): Promise<readonly Fault[]> {
  const faults: Fault[] = [];
  const standard = models ? { default: models.default, embedding: models.embedding } : {};
  const check = childChecker(services, owner, { models: standard, max_cost_usd });
  for (const id of workflow.datasets?.(input) ?? []) {
    const found = await collectFaults(() => findClosedDataset(services.store, owner, id));
    faults.push(...found.faults);
    if (found.value && workflow.checkDataset && options !== undefined)
      faults.push(...(await workflow.checkDataset({ input, options }, found.value, check)));
  }
  return faults;
}

/** A data set with its items. @throws Problem when no run can read it */
export async function findClosedDataset(store: Store, owner: Owner, id: string): Promise<Dataset> {
  const refuse = (code: string, message: string) => validationProblem([{ path: "input.dataset_id", code, message }]);
  const row = await store.datasets.get(owner, id);
  const unknown = refuse("unknown_dataset", `There is no data set ${id}.`);
  if (!row) throw unknown;
  const { name, workflow, content_hash } = row;
  if (content_hash === null) throw refuse("dataset_open", `The data set ${id} is not closed yet.`);
  const items = (await store.datasets.parsedItems(id)) as DatasetItem[];
  if (items.length < row.items) throw unknown; // deleted meanwhile
  return { id, name, workflow, content_hash, items };
}
