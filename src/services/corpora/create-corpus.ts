import { parseBody, validationProblem } from "../fields/field-errors";
import { newId } from "#core/ids";
import { defaultEmbeddingModel, providersIn } from "#llm";
import { keyErrors } from "../providers/check-keys";
import type { Services } from "../services";
import type { Complete } from "../idempotency/complete-key";
import type { CorpusRow } from "#store/corpora";
import type { Owner } from "#core/owner";
import { presentCorpus } from "./corpora";
import { createCorpusSchema } from "./requests";
import type { PresentedCorpus } from "./schema";

/** The columns of a corpus without documents. */
const EMPTY = {
  due_at: null,
  attempts: 0,
  failure: null,
  llm_calls: 0,
  input_tokens: 0,
  cost_usd: null,
  documents: 0,
  unready: 0,
  unread: 0,
  passages: 0,
  embedded: 0,
};

/**
 * Creates a corpus of the owner's mode. Its embedding model never changes.
 * @throws Problem with every error of the body
 */
export async function createCorpus(
  services: Services,
  { owner, body, complete }: { owner: Owner; body: unknown; complete?: Complete<PresentedCorpus> | undefined },
): Promise<PresentedCorpus> {
  const { store, llm, providers } = services;
  const {
    embedding_model: wanted,
    metadata,
    ...fields
  } = parseBody(createCorpusSchema(providersIn(owner.mode, providers)), body);
  const configured = defaultEmbeddingModel(llm.providers, owner.mode);
  const now = Date.now();
  const row: Omit<CorpusRow, "pool"> = {
    ...EMPTY,
    ...fields,
    id: newId("cor"),
    tenant_id: owner.tenant_id,
    mode: owner.mode,
    metadata: JSON.stringify(metadata),
    embedding_model: wanted === undefined || (wanted !== null && owner.mode === "test") ? configured : wanted,
    created_at: now,
    updated_at: now,
  };
  const models = row.embedding_model === null ? [] : [row.embedding_model];
  const errors = await keyErrors(services, owner, models, "embedding_model");
  if (errors.length) throw validationProblem(errors);
  const created = presentCorpus(row);
  await store.corpora.create(row, complete?.(created));
  return created;
}
