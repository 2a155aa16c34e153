import { ASKING_EVENTS } from "#core/vocabulary";
import type { AttemptRow, DeliveryRow, EventRow } from "../rows";
import type { RunEntryRow } from "../run-lists";
import type { RunArchives } from "./archives";

/** An event, and the stage of its run at that time. */
type EventWithStage = EventRow & { stage: string | null };

/**
 * The events of deliveries whose run is archived.
 * @param runs of the deliveries
 */
export async function eventsInArchives(
  archives: RunArchives,
  runs: Iterable<Pick<RunEntryRow, "id" | "archive_key">>,
  deliveries: readonly DeliveryRow[],
): Promise<EventWithStage[]> {
  const archived = [...runs].flatMap(({ id, archive_key }) => (archive_key === null ? [] : { id, archive_key }));
  const wanted = new Set(deliveries.map(({ event_id }) => event_id));
  return archives.ofAll(archived, ({ events }) =>
    events.filter(({ id }) => wanted.has(id)).map((event) => ({ ...event, stage: stageAt(events, event) })),
  );
}

function stageAt(events: readonly EventRow[], { seq }: EventRow): string | null {
  const entry = events.findLast((event) => event.type === "run.stage_started" && event.seq <= seq);
  return entry === undefined ? null : (JSON.parse(entry.data) as { stage: string }).stage;
}

/** The interaction for which an event asks an answer: one of its run, or of a child. */
export const openedBy = ({ type, data }: EventRow): string | undefined =>
  (ASKING_EVENTS as readonly string[]).includes(type)
    ? (JSON.parse(data) as { interaction_id: string }).interaction_id
    : undefined;

/** The last `most` attempts of each of these deliveries, in order. */
export async function attemptsInArchives(
  archives: RunArchives,
  archived: readonly { id: string; archive_key: string }[],
  deliveries: readonly string[],
  most: number,
): Promise<AttemptRow[]> {
  const wanted = new Set(deliveries);
  const found = await archives.ofAll(archived, ({ delivery_attempts }) =>
    delivery_attempts.filter(({ delivery_id }) => wanted.has(delivery_id)),
  );
  const byDelivery = Map.groupBy(found, ({ delivery_id }) => delivery_id);
  return [...byDelivery.values()].flatMap((rows) => rows.toSorted((a, b) => a.attempt - b.attempt).slice(-most));
}
