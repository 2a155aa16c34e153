import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { Link } from "wouter";
import { type Run, useParley, useWorkflow } from "../parley.ts";
import { ProblemBox } from "../shared/problem.tsx";

const CAN = {
  pause: ["running", "queued"],
  resume: ["paused"],
  cancel: ["queued", "running", "input_required", "paused"],
  retry: ["failed", "canceled"],
} as const;

const can = (verb: keyof typeof CAN, { status }: Run): boolean => (CAN[verb] as readonly string[]).includes(status);

/** What can be done with a run in its status. */
export function RunActions({ run }: { run: Run }) {
  const parley = useParley();
  const queries = useQueryClient();
  const dialog = useRef<HTMLDialogElement>(null);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (action: () => Promise<unknown>) => action(),
    onSuccess: () => {
      dialog.current?.close();
      // A retry begins a new life of the run, whose events the feed has to follow.
      void queries.invalidateQueries({ queryKey: ["run", run.id] });
    },
  });
  const { id } = run;
  return (
    <div className="actions">
      {can("pause", run) && (
        <button type="button" disabled={isPending} onClick={() => mutate(() => parley.runs.pause(id))}>
          Pause
        </button>
      )}
      {can("resume", run) && (
        <button
          type="button"
          className="primary"
          disabled={isPending}
          onClick={() => mutate(() => parley.runs.resume(id))}
        >
          Resume
        </button>
      )}
      {can("cancel", run) && (
        <button
          type="button"
          className="danger"
          disabled={isPending}
          onClick={() => mutate(() => parley.runs.cancel(id))}
        >
          Cancel run
        </button>
      )}
      {can("retry", run) && (
        <button type="button" onClick={() => dialog.current?.showModal()}>
          Retry …
        </button>
      )}
      <Link href={`/runs/new/${run.workflow}?from=${id}`} className="button">
        Run again with changes
      </Link>
      {error && !dialog.current?.open && <ProblemBox error={error} />}
      <RetryDialog
        dialog={dialog}
        run={run}
        error={error}
        busy={isPending}
        onRetry={(stage) => mutate(() => parley.runs.retry(id, stage ? { from_stage: stage } : {}))}
      />
    </div>
  );
}

interface RetryDialogProps {
  dialog: React.RefObject<HTMLDialogElement | null>;
  run: Run;
  error: unknown;
  busy: boolean;
  onRetry: (stage: string) => void;
}

function RetryDialog({ dialog, run, error, busy, onRetry }: RetryDialogProps) {
  const { data: workflow } = useWorkflow(run.workflow);
  const stages =
    workflow?.stages.filter((stage) => stage === run.stage || run.progress.stages_done.includes(stage)) ?? [];
  return (
    <dialog ref={dialog} aria-labelledby="retry-title">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onRetry(String(new FormData(event.currentTarget).get("stage")));
        }}
      >
        <h2 id="retry-title">Retry this run</h2>
        <p>What is stored is kept. Only steps without a result are done again; from a stage on, everything is.</p>
        <div className="field">
          <label htmlFor="stage">Begin</label>
          <select id="stage" name="stage" defaultValue="">
            <option value="">where it stopped</option>
            {stages.map((stage) => (
              <option key={stage} value={stage}>
                again from {stage.replaceAll("_", " ")}
              </option>
            ))}
          </select>
        </div>
        {error !== null && <ProblemBox error={error} />}
        <div className="actions">
          <button className="primary" disabled={busy}>
            Retry
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            Keep it as it is
          </button>
        </div>
      </form>
    </dialog>
  );
}
