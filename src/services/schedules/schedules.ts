import { newId } from "#core/ids";
import { type FieldError, Problem } from "#core/errors";
import type { Owner } from "#core/owner";
import type { Page } from "#core/page";
import type { KeyRow, OccurrenceRow, ScheduleRow } from "#store/rows";
import type { ScheduleChange } from "#store/schedules";
import { parseBody, validationProblem } from "../fields/field-errors";
import type { PageRequest } from "../fields/page-request";
import { toTime } from "../fields/time";
import type { Complete, RequestCompletion } from "../idempotency/complete-key";
import { findTemplate, requestFrom, valueErrors } from "../templates/templates";
import { createRun } from "../runs/create-run";
import type { RunCreator } from "../runs/check-run";
import type { PresentedRun } from "../runs/schema";
import type { Services } from "../services";
import { createScheduleSchema, updateScheduleSchema } from "./requests";
import type { PresentedOccurrence, PresentedSchedule } from "./schema";
import { nextTime, nextTimes, type Timing, timingErrors } from "./times";

/** Times to come that a schedule shows. */
const SHOWN_TIMES = 5;

export function presentSchedule(row: ScheduleRow): PresentedSchedule {
  const { id, mode, name, template_id, key_id, cron, time_zone, overlap, catch_up, next_at, last_run_id } = row;
  const coming = row.paused || next_at === null ? [] : [next_at, ...nextTimes(row, next_at, SHOWN_TIMES - 1)];
  return {
    object: "schedule",
    id,
    mode,
    name,
    template_id,
    key_id,
    cron,
    time_zone,
    fields: JSON.parse(row.fields),
    overlap,
    catch_up,
    status: row.paused ? "paused" : next_at === null ? "ended" : "active",
    next_times: coming.map(toTime),
    last_run_id,
    created_at: toTime(row.created_at),
    updated_at: toTime(row.updated_at),
  };
}

/** @throws Problem with every error of the body; `quota_exceeded` */
export async function createSchedule(
  services: Services,
  given: { owner: KeyRow; origin: string; body: unknown; complete?: Complete<PresentedSchedule> | undefined },
): Promise<PresentedSchedule> {
  const { owner, origin, body, complete } = given;
  const { status, template_id, fields, ...parts } = parseBody(createScheduleSchema, body);
  const template = await services.store.templates.get(owner, template_id);
  const unknown = unknownTemplate(template_id);
  throwErrors([...(template ? valueErrors(template, fields) : [unknown]), ...errorsOf(parts)]);
  const now = Date.now();
  const row: ScheduleRow = {
    ...parts,
    id: newId("sch"),
    tenant_id: owner.tenant_id,
    mode: owner.mode,
    template_id,
    key_id: owner.id,
    origin,
    fields: JSON.stringify(fields),
    paused: status === "paused" ? 1 : 0,
    next_at: nextTime(parts, now),
    last_run_id: null,
    created_at: now,
    updated_at: now,
  };
  const created = presentSchedule(row);
  await services.platform.armMaintenance();
  if (!(await services.store.schedules.create(row, complete?.(created)))) throw validationProblem([unknown]);
  return created;
}

const unknownTemplate = (id: string): FieldError => ({
  path: "template_id",
  code: "unknown_template",
  message: `There is no template ${id}.`,
});

const errorsOf = (timing: Timing): FieldError[] =>
  timingErrors(timing).map((fieldError) => ({ ...fieldError, code: "custom" }));

function throwErrors(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw validationProblem(errors);
}

/** The owner's schedule with this id. @throws Problem `not_found` */
export async function findSchedule({ store }: Pick<Services, "store">, owner: Owner, id: string): Promise<ScheduleRow> {
  const schedule = await store.schedules.get(owner, id);
  if (!schedule) throw noSuchSchedule(id);
  return schedule;
}

const noSuchSchedule = (id: string) => new Problem("not_found", `There is no schedule ${id}.`);

/** The body of `POST /v1/runs` that a schedule's template makes of its fields. @throws Problem with the errors of the fields; `not_found` */
export async function bodyOf(services: Services, schedule: ScheduleRow): Promise<unknown> {
  const template = await findTemplate(services, schedule, schedule.template_id);
  return requestFrom(template, JSON.parse(schedule.fields), { schedule_id: schedule.id });
}

/**
 * Starts a run of a schedule now, with the rights of the caller, also while the run before has not ended or the schedule is paused. Its times stay;
 * the next one finds this run as the one before.
 * @throws Problem as `createRun` does; `not_found`
 */
export async function triggerSchedule(
  services: Services,
  given: { owner: RunCreator; id: string; origin: string; complete?: Complete<PresentedRun> | undefined },
): Promise<PresentedRun> {
  const { owner, id, origin, complete } = given;
  const schedule = await findSchedule(services, owner, id);
  return createRun(services, { owner, origin, body: await bodyOf(services, schedule), complete, last_of: id });
}

/** The owner's schedules, newest first. */
export async function listSchedules(
  { store }: Services,
  { owner, filter, limit, after }: PageRequest & { filter: { template_id?: string | undefined } },
): Promise<Page<PresentedSchedule>> {
  const { rows, next } = await store.schedules.list(owner, filter, limit, after);
  return { rows: rows.map(presentSchedule), next };
}

/**
 * Changes what the body gives. A changed time, and a schedule that is active again, begin anew from now: what was due before is not caught up.
 * @throws Problem with every error of the body; `not_found`
 */
export async function updateSchedule(
  services: Services,
  { owner, id, body }: { owner: Owner; id: string; body: unknown },
  completion?: RequestCompletion,
): Promise<PresentedSchedule> {
  const before = await findSchedule(services, owner, id);
  const { status, fields, ...parts } = parseBody(updateScheduleSchema, body);
  const timing = { cron: parts.cron ?? before.cron, time_zone: parts.time_zone ?? before.time_zone };
  const template = fields && (await findTemplate(services, owner, before.template_id));
  throwErrors([...(template ? valueErrors(template, fields) : []), ...errorsOf(timing)]);
  const paused = status === undefined ? undefined : status === "paused" ? 1 : 0;
  const begins = parts.cron !== undefined || parts.time_zone !== undefined || (before.paused === 1 && paused === 0);
  const now = Date.now();
  await services.platform.armMaintenance();
  const change: ScheduleChange = {
    ...parts,
    fields: fields && JSON.stringify(fields),
    paused,
    next_at: begins ? nextTime(timing, now) : undefined,
    updated_at: now,
  };
  const changed = await services.store.schedules.update(owner, id, change, completion);
  if (!changed) throw noSuchSchedule(id);
  return presentSchedule(changed);
}

/** Deletes a schedule with the record of its times; its runs stay. @throws Problem `not_found` */
export async function deleteSchedule(
  { store }: Services,
  owner: Owner,
  id: string,
  completion?: RequestCompletion,
): Promise<void> {
  if (!(await store.schedules.remove(owner, id, completion))) throw noSuchSchedule(id);
}

/** The outcomes of a schedule's times, the latest first. @throws Problem `not_found` */
export async function listOccurrences(
  services: Services,
  { owner, id, limit, after }: PageRequest & { id: string },
): Promise<Page<PresentedOccurrence>> {
  await findSchedule(services, owner, id);
  const { rows, next } = await services.store.schedules.occurrences(id, limit, after === null ? null : Number(after));
  return { rows: rows.map(presentOccurrence), next };
}

const presentOccurrence = (row: OccurrenceRow): PresentedOccurrence => ({
  object: "occurrence",
  schedule_id: row.schedule_id,
  due_at: toTime(row.due_at),
  outcome: row.outcome,
  run_id: row.run_id,
  reason: row.reason,
  settled_at: toTime(row.settled_at),
});
