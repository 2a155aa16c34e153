import type { Owner } from "#core/owner";
import { Problem } from "#core/errors";
import type { Services } from "../services";
import { presentKey } from "./present-key";
import type { PresentedKey } from "./schema";

export const noSuchKey = (id: string) => new Problem("not_found", `There is no key ${id}.`);

export async function getKey(services: Services, owner: Owner, id: string): Promise<PresentedKey> {
  const row = await services.store.keys.get(owner, id);
  if (!row) throw noSuchKey(id);
  return presentKey(row);
}
