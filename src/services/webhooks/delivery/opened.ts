import type { Secrets } from "#core/secrets";
import type { InteractionRow, RunEntryRow } from "#store/rows";
import { callbackUrl, presentInteraction } from "../../interactions/present-interaction";

/** The interaction as it was when it was opened, whatever its status is now. */
export const presentOpened = (row: InteractionRow, run: RunEntryRow, secrets: Secrets) =>
  presentInteraction(
    { ...row, status: "open", answer: null, answered_by: null, settled_at: null },
    run,
    callbackUrl(run.origin, secrets.callbackToken(row.id)),
  );
