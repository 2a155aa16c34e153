import type { Owner } from "#core/owner";
import { Problem } from "#core/errors";
import type { Services } from "../services";
import type { LoadedDelivery } from "#store/deliveries";

/** The owner's delivery with this id. @throws Problem `not_found` */
export async function findDelivery({ store }: Services, owner: Owner, id: string): Promise<LoadedDelivery> {
  const found = await store.deliveries.get(owner, id);
  if (!found) throw new Problem("not_found", `There is no delivery ${id}.`);
  return found;
}
