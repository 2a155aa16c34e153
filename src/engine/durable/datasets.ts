import { RunFailedError } from "../instance/signals";
import { ownerOf } from "../instance/spec";
import { orUnavailable } from "./outages";
import type { Stages } from "./stages";
import type { DatasetItem, Datasets } from "#workflow-kit/datasets";

/** The data sets of the run's owner that are closed, read in pages. Only inside a stage. */
export const createDatasets = (stages: Stages): Datasets => ({
  /** @throws SuspendSignal; RunFailedError `unknown_dataset`, `dataset_open` */
  async get(id) {
    stages.current.assertMayContinue();
    const { spec, deps } = stages.instance;
    const { datasets } = deps.store;
    const row = await orUnavailable(() => datasets.get(ownerOf(spec), id), deps.clock);
    const gone = () => new RunFailedError("unknown_dataset", `There is no data set ${id} any more.`);
    if (!row) throw gone();
    const { name, workflow, content_hash } = row;
    if (content_hash === null) throw new RunFailedError("dataset_open", `The data set ${id} is not closed.`);
    const items: DatasetItem[] = [];
    for (let after: number | null = 0; after !== null;) {
      const from: number = after;
      const { contents, next } = await orUnavailable(() => datasets.someItems(id, from), deps.clock);
      for (const content of contents) items.push(JSON.parse(content) as DatasetItem);
      after = next;
    }
    if (items.length < row.items) throw gone(); // deleted meanwhile
    return { id, name, workflow, content_hash, items };
  },
});
