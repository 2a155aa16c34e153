import { Problem } from "#core/errors";
import type { InteractionRow } from "#store/rows";
import type { Services } from "../services";
import { callbackUrl, presentInteraction } from "./present-interaction";
import type { PresentedInteraction } from "./schema";

/** A viewer who may answer is shown the callback URL, which is enough to answer. */
export interface Viewer {
  may_answer: boolean;
}

/** @throws Problem `not_found` when its run was deleted a moment ago */
export async function showInteraction(
  services: Services,
  row: InteractionRow,
  viewer: Viewer,
): Promise<PresentedInteraction> {
  const [interaction] = await showInteractions(services, [row], viewer);
  if (!interaction) throw new Problem("not_found", `There is no interaction ${row.id}.`);
  return interaction;
}

/** Leaves out interactions whose run was deleted a moment ago. */
export async function showInteractions(
  services: Services,
  rows: readonly InteractionRow[],
  viewer: Viewer,
): Promise<PresentedInteraction[]> {
  const origins = await services.store.runs.origins(rows.map((row) => row.run_id));
  return rows.flatMap((row) => {
    const origin = origins.get(row.run_id);
    if (origin === undefined) return [];
    return [presentInteraction(row, { callback_url: viewer.may_answer ? callbackOf(services, row, origin) : null })];
  });
}

/** @param origin the run's */
export const callbackOf = ({ secrets }: Pick<Services, "secrets">, { id }: { id: string }, origin: string): string =>
  callbackUrl(origin, secrets.callbackToken(id));
