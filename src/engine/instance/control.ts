import type { ErrorCode, Fault } from "#core/errors";
import { Rejected } from "#workflow-kit/rejected";

/** How control leaves a stage other than by its value. Class identity does not survive a Workflow step, so a step returns these as data. */

/** The run is not this instance's any more (canceled, retried, deleted): end without a word. */
export class Superseded extends Error {
  override name = "Gone";
}

/** The run fails, for a reason from the error table. */
export class Failed extends Error {
  override name = "Failed";
  constructor(
    readonly code: ErrorCode,
    readonly detail: string,
    readonly faults: Fault[] = [],
  ) {
    super(`${code}: ${detail}`);
  }
}

/** Why a stage stops for a while; it is entered again afterwards. */
export type Suspension =
  | { why: "paused"; pause: number }
  | { why: "waiting"; interactions: string[] }
  | { why: "later"; ms: number }
  | { why: "step_is_long" };

export class Suspend extends Error {
  override name = "Suspend";
  constructor(readonly suspension: Suspension) {
    super(`suspended: ${suspension.why}`);
  }
}

/** Wraps what the platform throws, so that it is never taken for a fault of a workflow's code. */
export class PlatformError extends Error {
  override name = "PlatformError";
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** Of the ways in which several branches stopped, the one that decides for the stage. */
export function decidingReason(reasons: unknown[]): unknown {
  const first = <T>(type: abstract new (...args: never[]) => T) =>
    reasons.find((reason): reason is T => reason instanceof type);
  const unexpected = reasons.find(
    (reason) =>
      !(
        reason instanceof Suspend ||
        reason instanceof Superseded ||
        reason instanceof Failed ||
        reason instanceof Rejected
      ),
  );
  return first(Superseded) ?? unexpected ?? first(Failed) ?? first(Rejected) ?? mergeSuspensions(reasons as Suspend[]);
}

/** A pause stands first; then whatever ends by itself; waiting for people comes last, and for any of them. */
function mergeSuspensions(reasons: Suspend[]): Suspend {
  const all = reasons.map((reason) => reason.suspension);
  const paused = all.find((one) => one.why === "paused");
  if (paused) return new Suspend(paused);
  if (all.some((one) => one.why === "step_is_long")) return new Suspend({ why: "step_is_long" });
  const later = all.filter((one) => one.why === "later");
  if (later.length) return new Suspend({ why: "later", ms: Math.max(...later.map((one) => one.ms)) });
  return new Suspend({
    why: "waiting",
    interactions: all.flatMap((one) => (one.why === "waiting" ? one.interactions : [])),
  });
}
