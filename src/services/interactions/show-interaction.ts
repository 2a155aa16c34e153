import { Problem } from "#core/errors";
import type { CallbackLink } from "#core/secrets";
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
  const runs = await services.store.runs.introductions(rows.map((row) => row.run_id));
  return rows.flatMap((row) => {
    const run = runs.get(row.run_id);
    if (!run) return [];
    return [presentInteraction(row, run, viewer.may_answer ? callbackOf(services, row, run.origin) : null)];
  });
}

/** @param origin the run's */
export const callbackOf = (
  { secrets }: Pick<Services, "secrets">,
  { id, link }: CallbackLink,
  origin: string,
): string => callbackUrl(origin, secrets.callbackToken(id, link));
