import { Problem } from "#core/errors";
import { log } from "#core/log";
import type { KeyRow, ScheduleRow } from "#store/rows";
import { isRecordedAlready, type RecordedOccurrence } from "#store/schedules";
import { endOf, has } from "../keys/authenticate";
import { cancelRun } from "../runs/cancel-run";
import { createRun } from "../runs/create-run";
import type { Services } from "../services";
import { bodyOf } from "./schedules";
import { dueTimes, lastDueTime, MAX_OUTAGE_MS, nextTime } from "./times";

/** Schedules that one maintenance pass handles; the next pass handles the rest. */
const BATCH = 50;
/** A time that is longer ago was missed; one that was queued counts from the end of the run before. Milliseconds. */
const MAX_LATENESS_MS = { none: 10 * 60_000, last: Infinity, all: MAX_OUTAGE_MS };
/** Missed times are counted up to here: of a schedule of every minute ten thousand may have been missed, 0.25 ms of CPU each. */
const MAX_MISSED = 100;

/** The time to record now: the first, or the last that is due, and the schedule's next one after it. */
interface Taken extends Pick<RecordedOccurrence, "schedule_id" | "tenant_id" | "due_at" | "next_at"> {
  /** Times before it that nothing was started for; `MAX_MISSED` + 1 stands for more. */
  missed: number;
}

/**
 * Starts the runs of schedules whose time has come. A time is recorded in the transaction that creates its run, and only once, whatever crashes and
 * however the clock jumps: the next time follows from the last, not from the clock.
 */
export async function startDue(services: Services, now: number): Promise<void> {
  for (const schedule of await services.store.schedules.due(now, BATCH)) {
    try {
      await processDue(services, schedule, now);
    } catch (error) {
      log.error("a schedule was not served, and will be tried again", { id: schedule.id, error });
    }
  }
}

async function processDue(services: Services, schedule: ScheduleRow, now: number): Promise<void> {
  const { schedules } = services.store;
  const { missed, ...time } = take(schedule, now);
  const without = (outcome: "skipped" | "failed", reason: string) =>
    schedules.recordOccurrence({ ...time, outcome, run_id: null, reason });
  const last = await schedules.lastRun(schedule);
  const other = last?.finished_at === null ? last.id : null;
  if (other !== null && schedule.overlap === "queue") return;
  const waited_until = schedule.overlap === "queue" ? (last?.finished_at ?? 0) : 0;
  if (now - Math.max(time.due_at, waited_until) > MAX_LATENESS_MS[schedule.catch_up])
    return without("skipped", "It was missed.");
  if (other !== null && schedule.overlap === "skip") return without("skipped", `${other} had not ended.`);
  const key = await validKey(services, schedule);
  if (key instanceof Problem) {
    await without("failed", `${key.code}: ${key.detail} The schedule is paused.`);
    return schedules.pause(schedule.id);
  }
  try {
    const body = await bodyOf(services, schedule);
    if (other !== null) await cancelled(services, schedule, other);
    const owner = { tenant_id: schedule.tenant_id, mode: schedule.mode, workflows: key.workflows };
    const { schedule_id, due_at, next_at } = time;
    await createRun(services, {
      owner,
      origin: schedule.origin,
      body,
      occurrence: { schedule_id, due_at, next_at, reason: reportMissed(missed) },
    });
  } catch (error) {
    if (isRecordedAlready(error)) return schedules.advance(schedule.id, time.due_at, time.next_at);
    if (!(error instanceof Problem) || error.code === "storage_unavailable") throw error;
    await without("failed", `${error.code}: ${error.detail}`);
  }
}

function take(schedule: ScheduleRow, now: number): Taken {
  const isEach = schedule.catch_up === "all";
  const first = schedule.next_at!;
  const { due, next } = dueTimes(schedule, first, now, isEach ? 1 : MAX_MISSED + 1);
  const ids = { schedule_id: schedule.id, tenant_id: schedule.tenant_id };
  const isLast = next === null || next > now;
  if (due.length > 0 && (isEach || isLast))
    return { ...ids, due_at: due.at(-1)!, next_at: next, missed: due.length - 1 };
  const due_at = Math.max(first, lastDueTime(schedule, now) ?? first);
  return { ...ids, due_at, next_at: nextTime(schedule, due_at), missed: isLast ? 0 : MAX_MISSED + 1 };
}

function reportMissed(missed: number): string | null {
  if (missed === 0) return null;
  if (missed > MAX_MISSED) return `More than ${MAX_MISSED} earlier times were missed.`;
  return `${missed} earlier ${missed === 1 ? "time was" : "times were"} missed.`;
}

/** The key that created the schedule, or the one it was rolled to; the Problem why neither may start runs. */
async function validKey({ store }: Services, schedule: ScheduleRow): Promise<KeyRow | Problem> {
  const key = await store.keys.latest(schedule, schedule.key_id);
  if (!key) return new Problem("key_revoked", `The key ${schedule.key_id} is gone.`);
  const ended = endOf(key);
  if (ended) return ended;
  return has(key, "runs:write") ? key : new Problem("missing_scope", `The key ${key.id} may start no runs any more.`);
}

/** Cancels the run before; one that has ended meanwhile stays as it is. */
async function cancelled(services: Services, owner: ScheduleRow, id: string): Promise<void> {
  try {
    await cancelRun(services, { owner, id });
  } catch (error) {
    if (!(error instanceof Problem) || error.code === "storage_unavailable") throw error;
  }
}
