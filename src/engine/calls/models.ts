import type { CallContext } from "./call-context";
import { Superseded } from "../instance/control";
import type { Instance } from "../instance/instance";
import { callEncoder, callModel, type CallRequest, withEmbeddingAccount, type CallResult } from "./model-call";
import type { Stages } from "../durable/stages";
import { packVectors } from "./packed-vectors";
import type { EmbeddingAccount } from "#retrieval/embedder";

/** What the acts of a run ask of models, and of others who may fail for a while. Only inside a stage. */
export class Models {
  constructor(
    private readonly instance: Instance,
    private readonly stages: Stages,
  ) {}

  /** A model's answer, and what its artifact says of how it came about. */
  async ask<Input, Output>(request: CallRequest<Input, Output>) {
    this.stages.currentVisit.assertMayGoOn();
    const startedAt = Date.now();
    const result = await callModel(this.context(), request, this.stages.attempts);
    return {
      value: result.answer.value,
      tool_calls: result.answer.tool_calls,
      provenance: provenanceOf(result, Date.now() - startedAt),
    };
  }

  /** The vectors of texts, and what their artifact says of how they came about. */
  async encode(request: { model: string; texts: readonly string[]; act: string }) {
    this.stages.currentVisit.assertMayGoOn();
    const startedAt = Date.now();
    const { vectors, ...encoding } = await callEncoder(this.context(), request, this.stages.attempts);
    const content = packVectors(encoding.model, vectors);
    return { content, provenance: { ...encoding, duration_ms: Date.now() - startedAt } };
  }

  /** Has something done that may ask for vectors as it goes, and says what of them its artifact tells. */
  async withEmbeddings<T>(act: string, work: (asker: EmbeddingAccount) => Promise<T>) {
    this.stages.currentVisit.assertMayGoOn();
    const { value, ...provenance } = await withEmbeddingAccount(this.context(), act, this.stages.attempts, work);
    return { value, provenance };
  }

  private context(): CallContext {
    const { currentVisit } = this.stages;
    const { run_id, epoch, spec, deps } = this.instance;
    const { store, llm, llm_timeout_ms, gates } = deps;
    return {
      run_id,
      epoch,
      spec,
      store,
      llm,
      gates,
      timeout_ms: llm_timeout_ms,
      nextCall: () => currentVisit.calls++,
      queueing: currentVisit.queueing,
      assertMayGoOn: async (quiet = 0) => {
        const clock = await store.instances.heartbeat(run_id, epoch, quiet, currentVisit.queueing.takeUnreported());
        if (!clock) throw new Superseded();
        currentVisit.observe(clock);
        currentVisit.assertMayGoOn();
      },
    };
  }
}

export const provenanceOf = (
  { answer, parameters, prompt_hash, usage, released }: CallResult<unknown>,
  duration_ms: number,
) => ({
  model: answer.model,
  rung: answer.rung,
  parameters,
  prompt_hash,
  repairs: answer.repairs,
  usage,
  released,
  duration_ms,
});
