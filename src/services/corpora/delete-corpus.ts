import type { Owner } from "#core/owner";
import type { Settlement } from "../idempotency/settle-key";
import type { Services } from "../services";
import { attempt } from "../wake";
import { findCorpus, noSuchCorpus } from "./find-corpus";

/**
 * Deletes a corpus with its contents. When this returns nothing can be found in it; the keeper removes what it held. Runs that
 * retrieved from it keep their artifacts, excerpts included.
 * @throws Problem `not_found`
 */
export async function deleteCorpus(
  services: Services,
  owner: Owner,
  id: string,
  settlement?: Settlement,
): Promise<void> {
  await findCorpus(services, owner, id);
  await services.platform.armKeeper();
  if (!(await services.store.corpora.remove(owner, id, settlement))) throw noSuchCorpus(id);
  await attempt("removing objects", id, () => services.store.corpora.removeObjects(owner.tenant_id, id));
}
