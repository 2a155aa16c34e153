import { type ErrorCode, type FieldError, Problem } from "#core/errors";
import { StorageUnavailableError } from "#core/unavailable";
import { ReviewRejectedError } from "#workflow-kit/rejected";

/** The ways to leave a stage without a value. A Workflow step loses the classes of errors, so it returns these as data. */

/** The run was canceled, retried or deleted: this instance must end and write nothing more. */
export class StaleEpochError extends Error {
  override name = "StaleEpochError";
}

/** The run fails with a code of the error table. */
export class RunFailedError extends Error {
  override name = "RunFailedError";
  constructor(
    readonly code: ErrorCode,
    readonly detail: string,
    readonly errors: FieldError[] = [],
  ) {
    super(`${code}: ${detail}`);
  }
}

/** Whether a failure lies in one request to a model and its answer; others concern the provider or the run. */
export const isOfAnswer = (code: ErrorCode): boolean =>
  code.startsWith("output_") || code === "provider_input_too_long";

/** A port's refusal fails the run, with the port's code and words. */
export const failRun = (error: unknown): never => {
  throw error instanceof Problem ? new RunFailedError(error.code, error.detail, error.errors) : error;
};

/** Why a run is suspended. Its next segment starts once the reason has passed. */
export type Suspension =
  | { why: "paused"; pause: number }
  /** For any of these interactions, or for the run's children: the number of that wait. */
  | { why: "waiting"; interactions: string[]; children?: number }
  | { why: "later"; ms: number }
  | { why: "segment_is_long" };

/** Ends the segment: the run has to wait. */
export class SuspendSignal extends Error {
  override name = "SuspendSignal";
  constructor(readonly suspension: Suspension) {
    super(`suspended: ${suspension.why}`);
  }
}

/** Of the reasons why several branches stopped, the one that ends the stage. */
export function decidingReason(reasons: unknown[]): unknown {
  const first = <T>(type: abstract new (...args: never[]) => T) =>
    reasons.find((reason): reason is T => reason instanceof type);
  const unexpected = reasons.find(
    (reason) =>
      !(
        reason instanceof SuspendSignal ||
        reason instanceof StaleEpochError ||
        reason instanceof RunFailedError ||
        reason instanceof ReviewRejectedError
      ),
  );
  // A branch may have failed otherwise because storage was away: the stage shows that when it is executed again.
  return (
    first(StaleEpochError) ??
    first(StorageUnavailableError) ??
    unexpected ??
    first(RunFailedError) ??
    first(ReviewRejectedError) ??
    mergeSuspensions(reasons as SuspendSignal[])
  );
}

/**
 * Priority: a pause, then a suspension that ends by itself, then the waits for people and for child runs, which end with any answer, or when
 * the children have ended.
 */
function mergeSuspensions(reasons: SuspendSignal[]): SuspendSignal {
  const suspensions = reasons.map((reason) => reason.suspension);
  const paused = suspensions.find(({ why }) => why === "paused");
  if (paused) return new SuspendSignal(paused);
  if (suspensions.some(({ why }) => why === "segment_is_long")) return new SuspendSignal({ why: "segment_is_long" });
  // A step whose provider is to be left alone for longer is suspended again without a request.
  const later = suspensions.filter((suspension) => suspension.why === "later");
  if (later.length) return new SuspendSignal({ why: "later", ms: Math.min(...later.map(({ ms }) => ms)) });
  const waits = suspensions.filter((suspension) => suspension.why === "waiting");
  const children = waits.flatMap((wait) => wait.children ?? []);
  return new SuspendSignal({
    why: "waiting",
    interactions: waits.flatMap(({ interactions }) => interactions),
    ...(children.length > 0 && { children: Math.max(...children) }),
  });
}
