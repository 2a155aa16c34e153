import type { DatasetRow } from "#store/rows";
import { toTime, toTimeOrNull } from "../fields/time";
import type { PresentedDataset } from "./schema";

export function presentDataset(row: DatasetRow): PresentedDataset {
  const { id, mode, name, description, workflow, items, bytes, content_hash } = row;
  return {
    object: "dataset",
    id,
    mode,
    name,
    description,
    workflow,
    metadata: JSON.parse(row.metadata) as Record<string, string>,
    status: content_hash === null ? "open" : "closed",
    items,
    bytes,
    content_hash,
    created_at: toTime(row.created_at),
    updated_at: toTime(row.updated_at),
    closed_at: toTimeOrNull(row.closed_at),
  };
}
