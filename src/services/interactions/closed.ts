import { Problem } from "#core/errors";
import type { InteractionRow } from "#store/rows";
import { toTime } from "../fields/time";

/**
 * An expired interaction may still be stored as open, until the keeper settles it.
 * @throws Problem `interaction_canceled`, `interaction_withdrawn`, `interaction_expired` when it ended without an answer
 */
export function assertNotClosed(row: InteractionRow): void {
  if (row.status === "canceled")
    throw new Problem("interaction_canceled", "The run has ended and waits for no answer.");
  if (row.withdrawn) throw new Problem("interaction_withdrawn", "The run has continued without an answer.");
  if (row.status === "expired" || (row.status === "open" && row.expires_at <= Date.now()))
    throw new Problem("interaction_expired", `It could be answered until ${toTime(row.expires_at)}.`);
}
