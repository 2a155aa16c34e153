import { Cron } from "croner";

/** When a schedule is due: minutes are the finest unit, so that no schedule starts a run a second. */

/** A cron expression of five fields in a time zone. */
export interface Timing {
  cron: string;
  time_zone: string;
}

/** Of times longer ago at most the last one is caught up, and none is counted as missed. Milliseconds. */
export const MAX_OUTAGE_MS = 7 * 24 * 60 * 60_000;

/** Why an expression and its zone cannot be used; empty: they can, and name a time to come. */
export function timingErrors({ cron, time_zone }: Timing): { path: keyof Timing; message: string }[] {
  const isZone = isTimeZone(time_zone);
  const cronError = errorOfCron({ cron, time_zone: isZone ? time_zone : "UTC" });
  return [
    ...(cronError ? [{ path: "cron" as const, message: cronError }] : []),
    ...(isZone ? [] : [{ path: "time_zone" as const, message: NO_ZONE }]),
  ];
}

const NO_ZONE = "There is no such time zone; give an IANA name such as `Europe/Lisbon`.";

function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone: name }));
  } catch {
    return false;
  }
}

function errorOfCron(timing: Timing): string | null {
  if (!/^@\w+$/.test(timing.cron) && timing.cron.trim().split(/\s+/).length !== 5)
    return "Give five parts: minute, hour, day of month, month, day of week.";
  try {
    return nextTime(timing, Date.now()) === null ? "It names no time to come." : null;
  } catch (error) {
    return `This is no cron expression: ${(error as Error).message.replace(/^CronPattern: /, "")}`;
  }
}

const cronOf = ({ cron, time_zone }: Timing) => new Cron(cron, { timezone: time_zone, mode: "5-part" });

/** The first time after another; null: there is none. Milliseconds since the epoch. */
export const nextTime = (timing: Timing, after: number): number | null => timesOf(timing)(after);

/** Gives the first time after another; the expression is parsed once. */
function timesOf(timing: Timing): (after: number) => number | null {
  const times = cronOf(timing);
  return (after) => times.nextRun(new Date(after))?.getTime() ?? null;
}

/** The next times after another, at most so many. */
export function nextTimes(timing: Timing, after: number, count: number): number[] {
  const times: number[] = [];
  for (let at = nextTime(timing, after); at !== null && times.length < count; at = nextTime(timing, at)) times.push(at);
  return times;
}

/** Times from `first` up to `now`, those of the last seven days and at most so many, and the one after these. */
export function dueTimes(
  timing: Timing,
  first: number,
  now: number,
  most: number,
): { due: number[]; next: number | null } {
  const due: number[] = [];
  const after = timesOf(timing);
  let at = first < now - MAX_OUTAGE_MS ? after(now - MAX_OUTAGE_MS) : first;
  for (; at !== null && at <= now && due.length < most; at = after(at)) due.push(at);
  return { due, next: at };
}

/** The last time up to `now`, without a walk over those before; null: there is none. */
export function lastDueTime(timing: Timing, now: number): number | null {
  const [last] = cronOf(timing).previousRuns(1, new Date(now + 1)); // it gives times before, not at
  return last?.getTime() ?? null;
}
