import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useRef } from "react";
import { type Interaction, useParley } from "../parley.ts";
import { DangerButton } from "../shared/form-fields.tsx";
import { ProblemBox } from "../shared/problem.tsx";

const DAY = 86_400_000;

/** What can be done with an open question beside answering it: more time, somebody else, or no answer at all. */
export function QuestionActions({ interaction }: { interaction: Interaction }) {
  const { id, expires_at, on_expiry } = interaction;
  const parley = useParley();
  const queries = useQueryClient();
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (action: () => Promise<unknown>) => action(),
    onSuccess: () => dialog.current?.close(),
    onSettled: () =>
      Promise.all([["inbox"], ["run", interaction.run_id]].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
  const later = (days: number) => new Date(Date.parse(expires_at) + days * DAY).toISOString();
  const extend = (days: number) => mutate(() => parley.interactions.extend(id, { expires_at: later(days) }));
  return (
    <>
      <button type="button" disabled={isPending} onClick={() => extend(1)}>
        One day more
      </button>
      <button type="button" disabled={isPending} onClick={() => extend(7)}>
        One week more
      </button>
      <button type="button" disabled={isPending} onClick={() => dialog.current?.showModal()}>
        Ask somebody else …
      </button>
      {on_expiry === "proceed" && (
        <DangerButton
          disabled={isPending}
          question="Withdraw this question? The run continues without an answer."
          onSure={() => mutate(() => parley.interactions.withdraw(id))}
        >
          Withdraw
        </DangerButton>
      )}
      {error && <ProblemBox error={error} />}
      <dialog ref={dialog} aria-labelledby={title}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const given = [...new FormData(event.currentTarget)].filter(([, text]) => text !== "");
            mutate(() => parley.interactions.reassign(id, Object.fromEntries(given)));
          }}
        >
          <h2 id={title}>Who should answer?</h2>
          <p>The question gets a new link. The earlier one is refused from then on.</p>
          <div className="field">
            <label htmlFor={`${title}-name`}>Name</label>
            <input id={`${title}-name`} name="name" autoComplete="off" maxLength={200} />
          </div>
          <div className="field">
            <label htmlFor={`${title}-email`}>E-mail</label>
            <input id={`${title}-email`} name="email" type="email" autoComplete="off" maxLength={254} />
          </div>
          <div className="actions">
            <button className="primary" disabled={isPending}>
              Make a new link
            </button>
            <button type="button" onClick={() => dialog.current?.close()}>
              Keep it as it is
            </button>
          </div>
        </form>
      </dialog>
    </>
  );
}
