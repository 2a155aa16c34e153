import type { Fault } from "#core/errors";
import type { ResolvedModels } from "#llm";
import type { Dataset, DatasetItem } from "#workflow-kit/datasets";
import type { WorkflowDefinition } from "#workflow-kit/workflow";
import type { Services } from "../services";
import { childChecker } from "./check-child";
import type { RunOwner } from "./request-parts";

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
    const found = await findClosed(services, owner, id);
    if ("code" in found) faults.push(found);
    else if (workflow.checkDataset && options !== undefined)
      faults.push(...(await workflow.checkDataset({ input, options }, found, check)));
  }
  return faults;
}

/** A data set with its items, or why no run can read it. */
async function findClosed({ store }: Services, owner: RunOwner, id: string): Promise<Dataset | Fault> {
  const path = "input.dataset_id";
  const row = await store.datasets.get(owner, id);
  const unknown = { path, code: "unknown_dataset", message: `There is no data set ${id}.` };
  if (!row) return unknown;
  const { name, workflow, content_hash } = row;
  if (content_hash === null) return { path, code: "dataset_open", message: `The data set ${id} is not closed yet.` };
  const items = (await store.datasets.parsedItems(id)) as DatasetItem[];
  if (items.length < row.items) return unknown; // deleted meanwhile
  return { id, name, workflow, content_hash, items };
}
