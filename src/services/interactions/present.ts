import { callbackUrl, presentInteraction } from "./present-interaction";
import type { PresentedInteraction } from "./schema";
import type { Services } from "../services";
import type { InteractionRow } from "#store/rows";

/** Whether who looks may also answer, and so is shown the URL that is enough to do it. */
export interface Viewer {
  may_answer: boolean;
}

/** Shows interactions; those whose run was deleted a moment ago are left out. */
export async function present(
  services: Services,
  rows: readonly InteractionRow[],
  viewer: Viewer,
): Promise<PresentedInteraction[]> {
  const origins = await services.store.runs.origins(rows.map((row) => row.run_id));
  return rows.flatMap((row) => {
    const origin = origins.get(row.run_id);
    if (origin === undefined) return [];
    const callback_url = viewer.may_answer ? callbackUrl(origin, services.secrets.callbackToken(row.id)) : null;
    return [presentInteraction(row, { callback_url })];
  });
}
