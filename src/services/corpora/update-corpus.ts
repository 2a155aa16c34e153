import type { Owner } from "#core/owner";
import { parseBody } from "../fields/faults";
import type { Settlement } from "../idempotency/settle-key";
import type { Services } from "../services";
import { findCorpus, noSuchCorpus } from "./find-corpus";
import { presentCorpus } from "./present";
import { updateCorpusSchema } from "./requests";
import type { PresentedCorpus } from "./schema";

/**
 * Changes the fields in the body. Existing documents keep their language.
 * @throws Problem with every fault of the body; `not_found`
 */
export async function updateCorpus(
  services: Services,
  { owner, id, body }: { owner: Owner; id: string; body: unknown },
  settlement?: Settlement,
): Promise<PresentedCorpus> {
  await findCorpus(services, owner, id);
  const { metadata, ...fields } = parseBody(updateCorpusSchema(), body);
  const change = { ...fields, ...(metadata && { metadata: JSON.stringify(metadata) }) };
  if (!(await services.store.corpora.update(owner, id, change, settlement))) throw noSuchCorpus(id);
  return presentCorpus(await findCorpus(services, owner, id));
}
