import { type Llm, LlmError, type ModelCall } from "#llm";
import { processMetrics } from "./metrics";

type Observable = { acquirePermit?: ModelCall<unknown>["acquirePermit"] };

/** An LLM layer that counts each call with its provider, its outcome and the time that the provider took. */
export const observedLlm = (llm: Llm): Llm => ({
  ...llm,
  complete: (call) =>
    observe(call.mock ? MOCK : providerOf(call.model.model), call, (observed) => llm.complete(observed)),
  embed: (call) => observe(call.mock ? MOCK : providerOf(call.model), call, (observed) => llm.embed(observed)),
});

/** The label of calls in test mode. */
const MOCK = "mock";

const providerOf = (model: string): string => model.split("/", 1)[0]!;

/** A call that was forbidden or given up before the provider was asked is not counted. */
async function observe<C extends Observable, T>(provider: string, call: C, make: (call: C) => Promise<T>): Promise<T> {
  const { acquirePermit } = call;
  let queued_ms = 0;
  const timed: ModelCall<unknown>["acquirePermit"] =
    acquirePermit &&
    (async (...args) => {
      const began = Date.now();
      try {
        return await acquirePermit.apply(call, args);
      } finally {
        queued_ms += Date.now() - began;
      }
    });
  const started = Date.now();
  const count = (outcome: string) =>
    processMetrics()?.modelCall({ provider, outcome }, Date.now() - started - queued_ms);
  processMetrics()?.modelCallStarted(provider);
  try {
    const response = await make(timed ? { ...call, acquirePermit: timed } : call);
    count("ok");
    return response;
  } catch (error) {
    if (error instanceof LlmError) count(error.code);
    throw error;
  } finally {
    processMetrics()?.modelCallEnded(provider);
  }
}
