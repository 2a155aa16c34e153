import { parseBody } from "../fields/faults";
import type { Services } from "../services";
import { type Caller, corpusToChange, findCorpus, noSuchCorpus } from "./find-corpus";
import { presentCorpus } from "./present";
import { updateCorpusSchema } from "./requests";
import type { PresentedCorpus } from "./schema";

/**
 * Changes the fields in the body. Existing documents keep their language.
 * @throws Problem with every fault of the body; `not_found`, `wrong_mode`
 */
export async function updateCorpus(
  services: Services,
  { caller, id, body }: { caller: Caller; id: string; body: unknown },
): Promise<PresentedCorpus> {
  await corpusToChange(services, caller, id);
  const { metadata, ...fields } = parseBody(updateCorpusSchema(), body);
  const change = { ...fields, ...(metadata && { metadata: JSON.stringify(metadata) }) };
  if (!(await services.store.corpora.update(caller.tenant_id, id, change))) throw noSuchCorpus(id);
  return presentCorpus(await findCorpus(services, caller.tenant_id, id));
}
