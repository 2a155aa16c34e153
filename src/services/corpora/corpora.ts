import { toTime } from "../fields/time";
import { usageOf } from "../fields/usage";
import type { CorpusRow } from "#store/corpora";
import type { PresentedCorpus } from "./schema";
import { Problem } from "#core/errors";
import type { Services } from "../services";
import type { Owner } from "#core/owner";
import type { Page } from "#core/page";
import type { PageRequest } from "../fields/page-request";
import { parseBody } from "../fields/field-errors";
import type { RequestCompletion } from "../idempotency/complete-key";
import { updateCorpusSchema } from "./requests";
import { attempt } from "../wake";

export function presentCorpus(row: Omit<CorpusRow, "pool">): PresentedCorpus {
  const { id, mode, name, description, language, embedding_model, failure } = row;
  return {
    object: "corpus",
    id,
    mode,
    name,
    description,
    language,
    metadata: JSON.parse(row.metadata) as Record<string, string>,
    embedding_model,
    status: row.unready > 0 || row.unread > 0 ? "indexing" : "ready",
    failure,
    counts: {
      documents: row.documents,
      ready_documents: row.documents - row.unready,
      passages: row.passages,
      embedded_passages: row.embedded,
    },
    usage: usageOf({ ...row, cached_input_tokens: 0, output_tokens: 0, reasoning_tokens: 0 }),
    created_at: toTime(row.created_at),
    updated_at: toTime(row.updated_at),
  };
}

/** The owner's corpus with this id. @throws Problem `not_found` */
export async function findCorpus({ store }: Services, owner: Owner, id: string): Promise<CorpusRow> {
  const corpus = await store.corpora.get(owner, id);
  if (!corpus) throw noSuchCorpus(id);
  return corpus;
}

export const noSuchCorpus = (id: string) => new Problem("not_found", `There is no corpus ${id}.`);

/** @throws Problem `not_found` */
export const getCorpus = async (services: Services, owner: Owner, id: string): Promise<PresentedCorpus> =>
  presentCorpus(await findCorpus(services, owner, id));

/** The owner's corpora, newest first. */
export async function listCorpora(
  { store }: Services,
  { owner, limit, after }: PageRequest,
): Promise<Page<PresentedCorpus>> {
  const { rows, next } = await store.corpora.list(owner, limit, after);
  return { rows: rows.map(presentCorpus), next };
}

/**
 * Changes the fields in the body. Existing documents keep their language.
 * @throws Problem with every error of the body; `not_found`
 */
export async function updateCorpus(
  services: Services,
  { owner, id, body }: { owner: Owner; id: string; body: unknown },
  completion?: RequestCompletion,
): Promise<PresentedCorpus> {
  await findCorpus(services, owner, id);
  const { metadata, ...fields } = parseBody(updateCorpusSchema(), body);
  const change = { ...fields, ...(metadata && { metadata: JSON.stringify(metadata) }) };
  if (!(await services.store.corpora.update(owner, id, change, completion))) throw noSuchCorpus(id);
  return presentCorpus(await findCorpus(services, owner, id));
}

/**
 * Deletes a corpus with its contents. When this returns nothing can be found in it; the maintenance worker removes what it held. Runs that
 * retrieved from it keep their artifacts, excerpts included.
 * @throws Problem `not_found`
 */
export async function deleteCorpus(
  services: Services,
  owner: Owner,
  id: string,
  completion?: RequestCompletion,
): Promise<void> {
  await findCorpus(services, owner, id);
  await services.platform.armMaintenance();
  if (!(await services.store.corpora.remove(owner, id, completion))) throw noSuchCorpus(id);
  await attempt("removing objects", id, () => services.store.corpora.removeObjects(owner.tenant_id, id));
}
