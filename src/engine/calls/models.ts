import type { CallContext } from "./call-context";
import { Gone } from "../instance/control";
import type { Instance } from "../instance/instance";
import { callEncoder, callModel, type CallRequest, withVectors, type CallResult } from "./model-call";
import type { Stages } from "../durable/stages";
import { packVectors } from "./packed-vectors";
import type { Asker } from "#retrieval/embedder";

/** What the acts of a run ask of models, and of others who may fail for a while. Only inside a stage. */
export class Models {
  constructor(
    private readonly instance: Instance,
    private readonly stages: Stages,
  ) {}

  /** A model's answer, and what its artifact says of how it came about. */
  async ask<Input, Output>(request: CallRequest<Input, Output>) {
    this.stages.here.assertMayGoOn();
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
    this.stages.here.assertMayGoOn();
    const startedAt = Date.now();
    const { vectors, ...encoding } = await callEncoder(this.context(), request, this.stages.attempts);
    const content = packVectors(encoding.model, vectors);
    return { content, provenance: { ...encoding, duration_ms: Date.now() - startedAt } };
  }

  /** Has something done that may ask for vectors as it goes, and says what of them its artifact tells. */
  async askForVectors<T>(act: string, work: (asker: Asker) => Promise<T>) {
    this.stages.here.assertMayGoOn();
    const { value, ...provenance } = await withVectors(this.context(), act, this.stages.attempts, work);
    return { value, provenance };
  }

  private context(): CallContext {
    const { here } = this.stages;
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
      nextCall: () => here.calls++,
      queueing: here.queueing,
      assertMayGoOn: async (quiet = 0) => {
        const clock = await store.instances.clock(run_id, epoch, quiet, here.queueing.untold());
        if (!clock) throw new Gone();
        here.observe(clock);
        here.assertMayGoOn();
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
