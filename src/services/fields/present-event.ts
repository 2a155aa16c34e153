import type { RunEvent } from "#core/events";
import type { EventRow } from "#store/rows";
import type { EncodedEvent } from "../run-feed";
import { toTime } from "./time";

/** The data is what a trigger, or a writer with the types of the registry, has stored under this type. */
export const presentEvent = (row: EventRow): RunEvent =>
  ({
    id: row.id,
    seq: row.seq,
    type: row.type,
    run_id: row.run_id,
    created_at: toTime(row.created_at),
    data: JSON.parse(row.data),
  }) as RunEvent;

export const encodeEvent = (row: EventRow): EncodedEvent => {
  const event = presentEvent(row);
  return { seq: event.seq, type: event.type, json: JSON.stringify(event) };
};
