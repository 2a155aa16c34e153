import type { Owner } from "#core/owner";
import { Problem } from "#core/errors";
import type { Services } from "../services";
import type { CallbackLink } from "#core/secrets";
import type { InteractionRow } from "#store/rows";

export type { CallbackLink } from "#core/secrets";
export type { InteractionRow } from "#store/rows";

/** The owner's interaction with this id. @throws Problem `not_found` */
export async function findInteraction(services: Services, owner: Owner, id: string): Promise<InteractionRow> {
  const row = await services.store.interactions.get(id);
  if (row?.tenant_id !== owner.tenant_id || row.mode !== owner.mode) throw noSuchInteraction(id);
  return row;
}

/** What an interaction is now. @throws Problem `not_found` when it was deleted meanwhile */
export async function readAgain({ store }: Pick<Services, "store">, { id }: InteractionRow): Promise<InteractionRow> {
  const current = await store.interactions.get(id);
  if (!current) throw noSuchInteraction(id);
  return current;
}

export const noSuchInteraction = (id: string) => new Problem("not_found", `There is no interaction ${id}.`);

/** The link that the token of a callback URL is; null when the token is not valid. */
export const linkOfToken = ({ secrets }: Services, token: string): CallbackLink | null => secrets.linkOf(token);

/**
 * The interaction of a callback URL.
 * @param link null when the token of the URL is not valid
 * @throws Problem `not_found`, `link_replaced`
 */
export async function findForCallback(services: Services, link: CallbackLink | null): Promise<InteractionRow> {
  const row = link === null ? null : await services.store.interactions.get(link.id);
  if (!row) throw new Problem("not_found", "This callback URL opens nothing: it was altered, or its run was deleted.");
  if (row.link !== link!.link) throw linkReplaced();
  return row;
}

export const linkReplaced = () =>
  new Problem("link_replaced", "The question was addressed to somebody else, who has another link.");
