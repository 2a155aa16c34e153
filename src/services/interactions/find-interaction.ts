import { Problem } from "#core/errors";
import type { Services } from "../services";
import type { InteractionRow } from "#store/rows";

export type { InteractionRow } from "#store/rows";

/** The tenant's interaction with this id. @throws Problem `not_found` */
export async function findInteraction(services: Services, tenant: string, id: string): Promise<InteractionRow> {
  const row = await services.store.interactions.get(id);
  if (row?.tenant_id !== tenant) throw new Problem("not_found", `There is no interaction ${id}.`);
  return row;
}

/** The interaction that a callback token opens. @throws Problem `not_found` for a token that we did not make */
export async function findByToken(services: Services, token: string): Promise<InteractionRow> {
  const id = services.secrets.interactionOf(token);
  const row = id === null ? null : await services.store.interactions.get(id);
  if (!row) throw new Problem("not_found", "This callback URL opens nothing: it was altered, or its run was deleted.");
  return row;
}
