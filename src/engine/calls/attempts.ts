import type { UsageMeter } from "./budget";
import { aboutAct, type CallContext } from "./call-context";
import { Failed, Superseded, Suspend } from "../instance/control";
import { delayBefore, SLEEP_IN_STEP_MS } from "./backoff";
import { LlmError } from "#llm";
import { log } from "#core/log";
import { sleep } from "#core/retry";
import type { LastFailure } from "#store/rows";

/**
 * Makes a request to a model, and makes it again as long as its failure allows.
 * @param spent what is settled when the act is given up
 */
export function untilItSucceeds<T>(
  context: CallContext,
  act: string,
  attempts: Record<string, number>,
  request: () => Promise<T>,
  spent: UsageMeter,
): Promise<T> {
  return context.queueing.asks(() => keepTrying(context, act, attempts, request, spent));
}

async function keepTrying<T>(
  context: CallContext,
  act: string,
  attempts: Record<string, number>,
  request: () => Promise<T>,
  spent: UsageMeter,
): Promise<T> {
  for (;;) {
    try {
      return await request();
    } catch (error) {
      try {
        await nextAttempt(context, act, attempts, error);
      } catch (reason) {
        await settle(context, spent, reason);
        throw reason;
      }
    }
  }
}

/** Waits until the act may be tried again; throws when it may not, or when the run has been canceled or paused meanwhile. */
async function nextAttempt(
  context: CallContext,
  act: string,
  attempts: Record<string, number>,
  error: unknown,
): Promise<void> {
  if (!(error instanceof LlmError)) throw error;
  const attempt = (attempts[act] ?? 0) + 1;
  attempts[act] = attempt;
  const delay = delayBefore(attempt, error);
  log.warn("an attempt failed", {
    ...aboutAct(context, act),
    code: error.code,
    attempt,
    next_in_ms: delay,
    content: error.message,
  });
  if (delay === null) {
    delete attempts[act]; // `retry` begins anew
    throw new Failed(error.code, `${act}: ${error.message}`);
  }
  const noted = recordLastFailure(context, { act, code: error.code, at: Date.now() });
  if (delay > SLEEP_IN_STEP_MS) {
    await noted;
    throw new Suspend({ why: "later", ms: delay });
  }
  await Promise.all([noted, sleep(delay)]);
  await context.assertMayGoOn();
}

/** Tells D1 why the act takes so long, for whoever asks why the run stalls. Not knowing it costs the run nothing. */
async function recordLastFailure({ store, run_id, epoch }: CallContext, trouble: LastFailure): Promise<void> {
  await store.instances.recordLastFailure(run_id, epoch, trouble).catch((error: unknown) => {
    log.warn("a failed attempt was not noted", { run_id, act: trouble.act, error });
  });
}

/** Counts what was used in vain. Not repeated when it fails: twice would be worse than never. */
async function settle(context: CallContext, spent: UsageMeter, reason: unknown): Promise<void> {
  if (reason instanceof Superseded) return;
  const quiet = reason instanceof Suspend && reason.suspension.why === "later" ? reason.suspension.ms : 0;
  await context.store.instances
    .recordUsage(context.run_id, context.epoch, spent.usage, spent.reserved, quiet)
    .catch((error: unknown) => {
      log.error("usage was not counted", { run_id: context.run_id, error });
    });
}
