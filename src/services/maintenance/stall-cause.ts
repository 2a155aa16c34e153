import { toTime } from "../fields/time";
import type { LastFailure } from "#store/instances";
import type { StallingRun } from "#store/maintenance";
import type { EventDetails } from "#core/events";

/** Why a run stalls. @param instance the platform's status of the run's instance, or `missing` */
export function stallCause(run: StallingRun, instance: string): EventDetails<"run.stalled"> {
  const failure = run.last_failure === null ? null : (JSON.parse(run.last_failure) as LastFailure);
  const unresolved = failure && failure.at >= (run.last_step_at ?? 0) ? failure : null;
  return {
    cause: run.phase === "queued" ? "not_started" : unresolved ? "provider_failing" : "silent",
    stage: run.stage,
    last_heartbeat_at: toTime(run.heartbeat_at),
    last_step: run.last_step,
    last_failure: unresolved && { step: unresolved.step, code: unresolved.code, at: toTime(unresolved.at) },
    instance,
  };
}
