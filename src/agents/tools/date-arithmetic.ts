import { Temporal } from "temporal-polyfill";
import { z } from "zod";
import { defineTool, type Tool, ToolError } from "./tool";

const UNITS = ["year", "month", "week", "day", "hour", "minute", "second"] as const;

const parameters = z.strictObject({
  operation: z.enum(["add", "difference", "describe", "convert", "now"]),
  date: z
    .string()
    .max(100)
    .optional()
    .describe("ISO 8601: 2026-03-31 or 2026-03-31T14:30. For all operations but now."),
  duration: z.string().max(100).optional().describe("For add: ISO 8601, such as P1M10D, PT36H or -P2W."),
  to: z.string().max(100).optional().describe("For difference: the later date, or the earlier one."),
  unit: z.enum(UNITS).optional().describe("For difference: the largest unit of the result, by default year."),
  time_zone: z
    .string()
    .max(100)
    .optional()
    .describe("IANA name, such as Europe/Paris. For convert: that of `date`; for now: by default UTC."),
  to_time_zone: z.string().max(100).optional().describe("For convert."),
});
type Arguments = z.infer<typeof parameters>;

/**
 * Exact calculations with dates of the ISO calendar.
 * @param now milliseconds since the epoch, for the operation `now`
 */
export const dateArithmetic = (now: () => number): Tool =>
  defineTool({
    name: "date_arithmetic",
    description:
      "Calculates with dates. add: a date plus a duration (31 January plus a month is the last day of February). difference: how far " +
      "one date is from another, in units, in days and in weekdays from Monday to Friday. describe: weekday, ISO week, day of the year, quarter, leap " +
      "year. convert: a time in one time zone as the time in another. now: the present date and time.",
    parameters,
    call: (args) => JSON.stringify(calculate(args, now)),
  });

function calculate(args: Arguments, now: () => number): Record<string, unknown> {
  switch (args.operation) {
    case "add":
      return { date: added(args) };
    case "difference":
      return difference(args);
    case "describe":
      return described(read(args.date, "date").toPlainDate());
    case "convert":
      return { date: converted(args) };
    case "now":
      return at(Temporal.Instant.fromEpochMilliseconds(now()), args.time_zone ?? "UTC");
  }
}

function added({ date, duration, time_zone }: Arguments): string {
  const length = duration === undefined ? missing("duration") : readDuration(duration);
  const start = read(date, "date", time_zone);
  if (time_zone !== undefined) return plain(zoned(start, time_zone).add(length));
  const end = start.add(length);
  const timed = hasTime(date!) || /T/i.test(duration!);
  return timed ? end.toString() : end.toPlainDate().toString();
}

function difference({ date, to, unit = "year" }: Arguments): Record<string, unknown> {
  const [from, until] = [read(date, "date"), read(to, "to")];
  const between = from.until(until, { largestUnit: unit });
  const days = from.toPlainDate().until(until.toPlainDate(), { largestUnit: "day" }).days;
  return {
    duration: between.toString(),
    in_units: Object.fromEntries(
      UNITS.map((name) => [`${name}s`, between[`${name}s`]]).filter(([, count]) => count !== 0),
    ),
    calendar_days: days,
    weekdays: weekdays(from.toPlainDate(), days),
  };
}

/** Weekdays (Monday to Friday) within `days` days, including the first day and excluding the last; negative for negative `days`. */
function weekdays(from: Temporal.PlainDate, days: number): number {
  const start = days < 0 ? from.add({ days }) : from;
  const [weeks, rest] = [Math.floor(Math.abs(days) / 7), Math.abs(days) % 7];
  const odd = Array.from({ length: rest }, (_, n) => ((start.dayOfWeek - 1 + n) % 7) + 1).filter((day) => day <= 5);
  return (weeks * 5 + odd.length) * (days < 0 ? -1 : 1) || 0;
}

const described = (date: Temporal.PlainDate) => ({
  date: date.toString(),
  weekday: weekdayOf(date),
  iso_week: `${date.yearOfWeek}-W${String(date.weekOfYear).padStart(2, "0")}`,
  day_of_year: date.dayOfYear,
  days_in_year: date.daysInYear,
  days_in_month: date.daysInMonth,
  quarter: Math.ceil(date.month / 3),
  leap_year: date.inLeapYear,
});

function converted({ date, time_zone, to_time_zone }: Arguments): string {
  const from = zoned(read(date, "date", time_zone), time_zone ?? missing("time_zone"));
  return plain(inZone(from.toInstant(), to_time_zone ?? missing("to_time_zone")));
}

function at(instant: Temporal.Instant, time_zone: string) {
  const there = inZone(instant, time_zone);
  return {
    date: there.toPlainDate().toString(),
    time: there.toPlainTime().toString({ smallestUnit: "second" }),
    weekday: weekdayOf(there.toPlainDate()),
    time_zone,
  };
}

/** ISO 8601 with offset, without the zone name in brackets. */
const plain = (date: Temporal.ZonedDateTime) => date.toString({ timeZoneName: "never" });

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const weekdayOf = (date: Temporal.PlainDate) => WEEKDAYS[date.dayOfWeek - 1]!;

const hasTime = (text: string) => /\dT\d/i.test(text);

/** An offset, or a zone in brackets, which the library would silently ignore. */
const OFFSET = /\dT[\d:.,]+\s*[+\-\u2212]\d|\[/iu;

/** Parses a local time; a trailing Z means that the zone is UTC. */
function read(text: string | undefined, name: string, time_zone = "UTC"): Temporal.PlainDateTime {
  if (text === undefined) return missing(name);
  const utc = /z$/i.test(text.trim());
  if (OFFSET.test(text) || (utc && !/^(etc\/)?utc$/i.test(time_zone))) {
    throw new ToolError(`"${text}" says its own offset: give the local time alone, and its zone as \`time_zone\`.`);
  }
  return attempt(
    () => Temporal.PlainDateTime.from(text.trim().replace(/z$/i, ""), { overflow: "reject" }),
    () => `"${text}" is not a date of the form 2026-03-31 or 2026-03-31T14:30.`,
  );
}

const readDuration = (text: string) =>
  attempt(
    () => Temporal.Duration.from(text.trim()),
    () => `"${text}" is not an ISO 8601 duration, such as P1Y2M10D or -PT36H.`,
  );

const zoned = (date: Temporal.PlainDateTime, zone: string) => withZone(zone, () => date.toZonedDateTime(zone));
const inZone = (instant: Temporal.Instant, zone: string) => withZone(zone, () => instant.toZonedDateTimeISO(zone));
const withZone = <T>(zone: string, run: () => T) =>
  attempt(run, () => `"${zone}" is not a time zone; use IANA names, such as Europe/Paris or UTC.`);

function attempt<T>(run: () => T, complaint: () => string): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof RangeError) throw new ToolError(complaint());
    throw error;
  }
}

function missing(name: string): never {
  throw new ToolError(`This operation needs \`${name}\`.`);
}
