import type { Owner } from "#core/owner";
import { Problem } from "#core/errors";
import type { Services } from "../services";
import type { InteractionRow } from "#store/rows";

export type { InteractionRow } from "#store/rows";

/** The owner's interaction with this id. @throws Problem `not_found` */
export async function findInteraction(services: Services, owner: Owner, id: string): Promise<InteractionRow> {
  const row = await services.store.interactions.get(id);
  if (row?.tenant_id !== owner.tenant_id || row.mode !== owner.mode) throw noSuchInteraction(id);
  return row;
}

export const noSuchInteraction = (id: string) => new Problem("not_found", `There is no interaction ${id}.`);

/** The id of the interaction that the token of a callback URL opens; null when the token is not valid. */
export const interactionOfToken = ({ secrets }: Services, token: string): string | null => secrets.interactionOf(token);

/**
 * The interaction of a callback URL.
 * @param id null when the token of the URL is not valid
 * @throws Problem `not_found`
 */
export async function findForCallback(services: Services, id: string | null): Promise<InteractionRow> {
  const row = id === null ? null : await services.store.interactions.get(id);
  if (!row) throw new Problem("not_found", "This callback URL opens nothing: it was altered, or its run was deleted.");
  return row;
}
