import { durationMs } from "#core/duration";
import { log } from "#core/log";
import type { LlmError } from "#llm";
import { RunFailedError, SuspendSignal } from "../instance/signals";
import { notify } from "../instance/instance";
import type { StageExecution } from "../durable/stage-execution";
import { delayBefore } from "./backoff";

/** A step that needs a model, and the models it may use, by preference. */
interface Candidates {
  stage: StageExecution;
  step: string;
  models: readonly string[];
}

/**
 * The first model that is not known to fail at the moment.
 * @throws SuspendSignal until the first of them is to be asked again
 */
export function chooseModel(candidates: Candidates): string {
  const waits = usable(candidates).map((model) => ({ model, ms: waitOf(candidates, model) }));
  const ready = waits.find(({ ms }) => ms === 0);
  if (ready) return ready.model;
  throw new SuspendSignal({ why: "later", ms: Math.min(...waits.map(({ ms }) => ms)) });
}

/** These models have answered: an outage of theirs is over. A failed write does not cost the paid answer; the next answer repeats it. */
export async function recordAnswer({ stage }: Candidates, models: Iterable<string>): Promise<void> {
  const { instance, memory } = stage;
  const { run_id, epoch, deps } = instance;
  for (const model of new Set(models)) {
    if (!memory.outages.get(model)) continue;
    try {
      await deps.store.instances.recordOutage(run_id, epoch, model, null);
      memory.outages.end(model);
      notify(instance, stage.followed, "run.provider_recovered");
      log.info("a model answers again", { run_id, model });
    } catch (error) {
      log.warn("the end of a model's outage was not recorded", { run_id, model, error });
    }
  }
}

/** Milliseconds until the model is asked again inside the segment; null: it is not. @param attempt number of the failed one, from 1 */
export function delayBeforeRetry(
  candidates: Candidates,
  model: string,
  failure: LlmError,
  attempt: number,
): number | null {
  if (!failure.options.retryable || candidates.stage.memory.outages.get(model)) return null;
  return delayBefore(attempt, failure, hasOther(candidates, model));
}

/**
 * Records that a model fails, or that its provider refuses every request for it. Returns when the step may continue, with another model or after a
 * wait.
 * @param failed.asked_at when the attempt began, milliseconds since the epoch
 * @throws RunFailedError
 */
export async function recordFailure(
  candidates: Candidates,
  model: string,
  { failure, asked_at }: { failure: LlmError; asked_at: number },
): Promise<void> {
  const { stage, step } = candidates;
  const { code, message, options } = failure;
  const { instance, memory } = stage;
  const { run_id, epoch, deps } = instance;
  if (options.model_refused && usable(candidates).some((other) => other !== model))
    return memory.outages.addRefused(model);
  if (!options.retryable) throw new RunFailedError(code, `${step}: ${message}`);
  const isNew = !memory.outages.get(model);
  const at = now(stage);
  // A request that times out has already waited for the provider; before it began it may have waited for a permit.
  const began = code === "provider_timeout" ? Math.max(asked_at, at - deps.llm_timeout_ms) : at;
  const outage = memory.outages.fail(model, failure, { began, now: at, longest: longestWait(stage) });
  if (!hasOther(candidates, model)) assertMayWait(candidates, model, failure);
  await deps.store.instances.recordOutage(run_id, epoch, model, outage);
  if (isNew) notify(instance, stage.followed, "run.provider_failing");
}

/** The run waits for no longer than `limits.provider_wait` after the last of the models has begun to fail. @throws RunFailedError */
function assertMayWait(
  candidates: Candidates,
  model: string,
  { code, message, options: { retry_after_ms = 0 } }: LlmError,
) {
  const { stage, step } = candidates;
  const begun = [...usable(candidates), model].map((each) => stage.memory.outages.get(each)?.since ?? "");
  const since = begun.reduce((latest, each) => (each > latest ? each : latest));
  const left = longestWait(stage) - (now(stage) - Date.parse(since));
  const wait = `limits.provider_wait, ${stage.instance.spec.limits.provider_wait}`;
  if (left <= 0) {
    throw new RunFailedError(
      "provider_unavailable",
      `${step}: ${message} The run has waited for as long as it may (${wait}).`,
    );
  }
  if (retry_after_ms > left) {
    const seconds = Math.ceil(retry_after_ms / 1000);
    throw new RunFailedError(
      code,
      `${step}: ${message} It asks for a wait of ${seconds} s, longer than the run may wait (${wait}).`,
    );
  }
}

/** Whether another model can be asked now. */
const hasOther = (candidates: Candidates, model: string): boolean =>
  usable(candidates).some((other) => other !== model && waitOf(candidates, other) === 0);

const usable = ({ stage, models }: Candidates): readonly string[] => stage.memory.outages.usable(models);

const waitOf = ({ stage }: Candidates, model: string): number => stage.memory.outages.waitOf(model, now(stage));

const longestWait = ({ instance }: StageExecution): number => durationMs(instance.spec.limits.provider_wait);

/** By the clock of the run. */
export const now = ({ instance }: StageExecution): number => instance.deps.clock?.now() ?? Date.now();
