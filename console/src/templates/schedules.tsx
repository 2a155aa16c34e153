import type { CreateSchedule, SchedulePage, TemplatePage } from "@parley/sdk";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { LIST_INTERVAL_MS, useParley } from "../parley.ts";
import { DangerButton, FoldedForm, TextField } from "../shared/form-fields.tsx";
import { ProblemBox } from "../shared/problem.tsx";
import { Status } from "../shared/status.tsx";
import { formatTime } from "../shared/time.tsx";
import { useAction } from "../shared/use-page.ts";

type Schedule = SchedulePage["data"][number];

/** Schedules with their next times and what became of the last ones. */
export function Schedules({ templates }: { templates: TemplatePage["data"] }) {
  const parley = useParley();
  const { data, error } = useQuery({
    queryKey: ["schedules"],
    queryFn: ({ signal }) => parley.schedules.list({ limit: 100 }, { signal }).all(),
    refetchInterval: LIST_INTERVAL_MS,
  });
  const create = useAction((given: CreateSchedule) => parley.schedules.create(given), ["schedules"]);
  return (
    <section className="page-section">
      <h2>Schedules</h2>
      {error && <ProblemBox error={error} />}
      {data?.length === 0 && (
        <p className="empty">
          Nothing starts by itself yet. {templates.length === 0 ? "Save a template first: a" : "A"} schedule starts runs
          of a template at given times.
        </p>
      )}
      <ul className="cards">
        {data?.map((schedule) => (
          <ScheduleCard
            key={schedule.id}
            schedule={schedule}
            template={templates.find(({ id }) => id === schedule.template_id)?.name ?? schedule.template_id}
          />
        ))}
      </ul>
      {templates.length > 0 && (
        <FoldedForm
          title="New schedule"
          button="Create"
          busy={create.isPending}
          error={create.error}
          onSend={(values) => create.mutate(values as unknown as CreateSchedule)}
        >
          <TextField label="Name" name="name" required />
          <div className="field">
            <label htmlFor="template">Template</label>
            <select id="template" name="template_id" required>
              {templates.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </div>
          <TextField
            label="Cron"
            name="cron"
            required
            hint="Minute, hour, day, month, weekday: 0 9 * * 1 is Mondays at nine."
          />
          <TextField label="Time zone" name="time_zone" hint="Such as Europe/Lisbon." />
          <div className="field">
            <label htmlFor="overlap">When the run before has not ended</label>
            <select id="overlap" name="overlap">
              <option value="skip">skip this one</option>
              <option value="queue">start it afterwards</option>
              <option value="cancel_other">cancel the earlier run</option>
            </select>
          </div>
        </FoldedForm>
      )}
    </section>
  );
}

function ScheduleCard({ schedule, template }: { schedule: Schedule; template: string }) {
  const { id, name, cron, time_zone, overlap, status, next_times, last_run_id } = schedule;
  const parley = useParley();
  const [open, setOpen] = useState(false);
  const update = useAction((next: "active" | "paused") => parley.schedules.update(id, { status: next }), ["schedules"]);
  const remove = useAction(() => parley.schedules.delete(id), ["schedules"]);
  const start = useAction(() => parley.schedules.trigger(id), ["schedules"]);
  const problem = update.error ?? remove.error ?? start.error;
  return (
    <li className="card">
      <p className="card-head">
        <Status status={status} /> <strong>{name}</strong>
        <span className="quiet">
          {template}, <code>{cron}</code> {time_zone}, overlap: {overlap.replaceAll("_", " ")}
        </span>
        {last_run_id && <Link href={`/runs/${last_run_id}`}>last run</Link>}
      </p>
      {next_times.length > 0 && <p>Next: {next_times.slice(0, 3).map(formatTime).join("; ")}</p>}
      {problem && <ProblemBox error={problem} />}
      <div className="actions">
        <button type="button" disabled={start.isPending} onClick={() => start.mutate(undefined)}>
          Start now
        </button>
        {status !== "ended" && (
          <button type="button" onClick={() => update.mutate(status === "active" ? "paused" : "active")}>
            {status === "active" ? "Pause" : "Resume"}
          </button>
        )}
        <DangerButton question={`Delete the schedule ${name}?`} onSure={() => remove.mutate(undefined)}>
          Delete
        </DangerButton>
      </div>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>What became of the last times</summary>
        {open && <Occurrences schedule={id} />}
      </details>
    </li>
  );
}

function Occurrences({ schedule }: { schedule: string }) {
  const parley = useParley();
  const { data, error } = useQuery({
    queryKey: ["schedules", schedule, "occurrences"],
    queryFn: ({ signal }) => parley.schedules.listOccurrences(schedule, { limit: 20 }, { signal }).page(),
  });
  if (error) return <ProblemBox error={error} />;
  if (!data) return <p className="quiet">Loading …</p>;
  if (data.data.length === 0) return <p className="quiet">It was not due yet.</p>;
  return (
    <ul>
      {data.data.map(({ due_at, outcome, run_id, reason }) => (
        <li key={due_at}>
          {formatTime(due_at)}: {run_id ? <Link href={`/runs/${run_id}`}>{outcome}</Link> : outcome} {reason}
        </li>
      ))}
    </ul>
  );
}
