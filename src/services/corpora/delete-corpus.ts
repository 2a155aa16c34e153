import type { Services } from "../services";
import { attempt } from "../wake";
import { type Caller, corpusToChange, noSuchCorpus } from "./find-corpus";

/**
 * Deletes a corpus with its contents. When this returns nothing can be found in it; the keeper removes what it held. Runs that
 * retrieved from it keep their artifacts, excerpts included.
 * @throws Problem `not_found`, `wrong_mode`
 */
export async function deleteCorpus(services: Services, caller: Caller, id: string): Promise<void> {
  await corpusToChange(services, caller, id);
  await services.platform.armKeeper();
  if (!(await services.store.corpora.remove(caller.tenant_id, id))) throw noSuchCorpus(id);
  await attempt("removing objects", id, () => services.store.corpora.removeObjects(caller.tenant_id, id));
}
