import type { EventDetails } from "#core/events";
import type { Secrets } from "#core/secrets";
import type { InteractionRow } from "#store/rows";
import type { RunEntryRow } from "#store/run-lists";
import { callbackUrl, presentInteraction } from "../../interactions/interactions";

/** The interaction as it was at an event, whatever became of it. @param data of an event that names the open question */
export function presentOpened(row: InteractionRow, data: object, run: RunEntryRow, secrets: Secrets) {
  const { expires_at, assignee, link } = data as EventDetails<"run.input_required">;
  const then = { status: "open", withdrawn: 0, answer: null, answered_by: null, settled_at: null } as const;
  const shown = presentInteraction(
    { ...row, ...then },
    run,
    callbackUrl(run.origin, secrets.callbackToken(row.id, link)),
  );
  return { ...shown, expires_at, assignee };
}
