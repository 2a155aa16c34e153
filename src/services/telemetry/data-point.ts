import type { ProblemObject } from "#core/errors";
import type { RunEndRow, RunRow } from "#store/rows";
import type { DataPoint } from "../platform";

/**
 * One data point for each end of a run. Usage is cumulative over the run: of several ends of one run, use only the last.
 *
 * index1 tenant; blob1 run, blob2 workflow, blob3 mode, blob4 status, blob5 error code, blob6 version of the code; double1 epoch,
 * double2 milliseconds since it was created, double3 milliseconds active, double4 steps, double5 calls, double6 input tokens, double7
 * of them cached, double8 output tokens, double9 USD.
 */
export function dataPoint(end: RunEndRow, run: RunRow, code_version: string): DataPoint {
  const error = run.error === null ? null : (JSON.parse(run.error) as ProblemObject);
  return {
    indexes: [end.tenant_id],
    blobs: [run.id, run.workflow, run.mode, end.phase, error?.code ?? "", code_version],
    doubles: [
      end.epoch,
      end.ended_at - run.created_at,
      run.active_ms,
      run.steps_done,
      run.llm_calls,
      run.input_tokens,
      run.cached_input_tokens,
      run.output_tokens,
      run.cost_usd ?? 0,
    ],
  };
}
