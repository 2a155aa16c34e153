import { parseBody } from "../fields/faults";
import { newId } from "#core/ids";
import { defaultEmbeddingModel } from "#llm";
import type { Services } from "../services";
import type { Caller } from "./find-corpus";
import { presentCorpus } from "./present";
import { createCorpusSchema } from "./requests";
import type { PresentedCorpus } from "./schema";

/**
 * Creates a corpus of the caller's mode. Its embedding model never changes.
 * @throws Problem with every fault of the body
 */
export async function createCorpus(services: Services, caller: Caller, body: unknown): Promise<PresentedCorpus> {
  const { store, llm, providers } = services;
  const { embedding_model: wanted, metadata, ...fields } = parseBody(createCorpusSchema(providers), body);
  const configured = defaultEmbeddingModel(llm.providers, caller.mode);
  const row = await store.corpora.create({
    ...fields,
    id: newId("cor"),
    tenant_id: caller.tenant_id,
    mode: caller.mode,
    metadata: JSON.stringify(metadata),
    embedding_model: wanted === undefined || (wanted !== null && caller.mode === "test") ? configured : wanted,
  });
  return presentCorpus(row);
}
