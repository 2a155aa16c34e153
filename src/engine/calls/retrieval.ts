import { commitOnce, stepName } from "../durable/steps";
import type { StageExecution } from "../durable/stage-execution";
import type { Stages } from "../durable/stages";
import { parallel } from "../durable/parallel";
import { failRun } from "../instance/signals";
import { ownerOf } from "../instance/spec";
import { encode, withEmbeddings } from "./models";
import { type PackedVectors, unpackVectors } from "./packed-vectors";
import { chunksOf } from "#core/chunks";
import { MAX_TEXTS } from "#llm";
import type { Artifact } from "#workflow-kit/artifact";
import type { RunRetrieval } from "#workflow-kit/run";

const ENCODING = { name: "embed", kind: "embeddings", role: "encoder" };
const EVIDENCE = { name: "index_evidence", kind: "evidence", role: "retriever" };
const AUTHORITIES = { name: "retrieve", kind: "authorities", role: "retriever" };
const PAPERS = { name: "search_papers", kind: "paper_search", role: "librarian" };

/** Batches that are encoded at the same time. */
const BATCH_CONCURRENCY = 8;

/** Vectors, evidence, corpora and papers for a workflow. Only inside a stage. */
export const createRetrieval = (stages: Stages): RunRetrieval => ({
  async embed(texts, { key }) {
    const stage = stages.current;
    const model = stage.instance.spec.models.embedding;
    if (model === null) return null;
    const encoded = await parallel(
      chunksOf(texts, MAX_TEXTS),
      (batch, at) => encodeBatch(stage, model, batch, `${key}.${at + 1}`),
      BATCH_CONCURRENCY,
    );
    return {
      model: encoded[0]?.content.model ?? model,
      vectors: encoded.flatMap(({ content }) => unpackVectors(content)),
    };
  },

  indexEvidence(evidence, options) {
    const stage = stages.current;
    const { run_id, spec, deps } = stage.instance;
    const name = stepName(stage, EVIDENCE.name, options);
    return commitOnce(stage, name, EVIDENCE, options, async () => ({
      content: await deps.retrieval.indexEvidence({ ...ownerOf(spec), run_id }, name, evidence).catch(failRun),
    }));
  },

  search({ corpus_ids, exclude = [], ...wanted }, options) {
    const stage = stages.current;
    const { run_id, spec, deps } = stage.instance;
    const scope = { ...ownerOf(spec), run_id, corpus_ids, embedding_model: spec.models.embedding };
    const name = stepName(stage, AUTHORITIES.name, options);
    return commitOnce(stage, name, AUTHORITIES, options, async () => {
      const { value, provenance } = await withEmbeddings(stage, name, (account) =>
        deps.retrieval.search(scope, { ...wanted, exclude }, account),
      );
      return { content: value, ...provenance };
    });
  },

  searchPapers(query, limit, options) {
    const stage = stages.current;
    const { spec, deps } = stage.instance;
    return commitOnce(stage, stepName(stage, PAPERS.name, options), PAPERS, options, async () => {
      stage.assertMayContinue();
      return { content: await deps.papers.search(query, limit, spec.mode) };
    });
  },
});

function encodeBatch(
  stage: StageExecution,
  model: string,
  texts: readonly string[],
  key: string,
): Promise<Artifact<PackedVectors>> {
  const name = stepName(stage, ENCODING.name, { key });
  return commitOnce(stage, name, ENCODING, {}, async () => {
    const { content, provenance } = await encode(stage, { model, texts, step: name });
    return { content, ...provenance };
  });
}
