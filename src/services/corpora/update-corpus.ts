import { refused, toFaults } from "../fields/faults";
import type { Services } from "../services";
import { type Caller, corpusToChange, findCorpus, noSuchCorpus } from "./find-corpus";
import { type PresentedCorpus, presentCorpus } from "./present";
import { updateCorpusSchema } from "./requests";

/**
 * Changes what the body names. Documents that are there keep the language that they got.
 * @throws Problem with every fault of the body; `not_found`, `wrong_mode`
 */
export async function updateCorpus(
  services: Services,
  caller: Caller,
  id: string,
  body: unknown,
): Promise<PresentedCorpus> {
  await corpusToChange(services, caller, id);
  const parsed = updateCorpusSchema().safeParse(body);
  if (!parsed.success) throw refused(toFaults(parsed.error, body));
  const { metadata, ...fields } = parsed.data;
  const change = { ...fields, ...(metadata && { metadata: JSON.stringify(metadata) }) };
  if (!(await services.store.corpora.update(caller.tenant_id, id, change))) throw noSuchCorpus(id);
  return presentCorpus(await findCorpus(services, caller.tenant_id, id));
}
