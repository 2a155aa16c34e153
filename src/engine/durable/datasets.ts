import { Failed } from "../instance/control";
import type { Instance } from "../instance/instance";
import { ownerOf } from "../instance/spec";
import { orUnavailable } from "./outages";
import type { Stages } from "./stages";
import type { Dataset, DatasetItem } from "#workflow-kit/datasets";

/** A closed data set of the run's owner with all its items. Only inside a stage. @throws Suspend; Failed `unknown_dataset`, `dataset_open` */
export async function readDataset({ spec, deps }: Instance, stages: Stages, id: string): Promise<Dataset> {
  const { datasets } = deps.store;
  stages.currentVisit.assertMayGoOn();
  return orUnavailable(async () => {
    const row = await datasets.get(ownerOf(spec), id);
    if (!row) throw new Failed("unknown_dataset", `There is no data set ${id} any more.`);
    if (row.content_hash === null) throw new Failed("dataset_open", `The data set ${id} is not closed.`);
    const items = (await datasets.parsedItems(id)) as DatasetItem[];
    return { id, name: row.name, workflow: row.workflow, content_hash: row.content_hash, items };
  }, deps.clock);
}
