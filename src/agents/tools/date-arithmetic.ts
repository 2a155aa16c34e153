// The functions and not the classes of Temporal: a bundler leaves out those that are not called, 6 KiB of 19.
import { getISO } from "temporal-polyfill/fns/Calendar";
import * as Duration from "temporal-polyfill/fns/Duration";
import * as Instant from "temporal-polyfill/fns/Instant";
import * as PlainDate from "temporal-polyfill/fns/PlainDate";
import * as PlainDateTime from "temporal-polyfill/fns/PlainDateTime";
import * as PlainTime from "temporal-polyfill/fns/PlainTime";
import * as ZonedDateTime from "temporal-polyfill/fns/ZonedDateTime";
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
      return described(PlainDateTime.toPlainDate(read(args.date, "date")));
    case "convert":
      return { date: converted(args) };
    case "now":
      return at(Instant.fromEpochMilliseconds(now()), args.time_zone ?? "UTC");
  }
}

function added({ date, duration, time_zone }: Arguments): string {
  const length = duration === undefined ? missing("duration") : readDuration(duration);
  const start = read(date, "date", time_zone);
  if (time_zone !== undefined) return plain(ZonedDateTime.add(zoned(start, time_zone), length));
  const end = PlainDateTime.add(start, length);
  const timed = hasTime(date!) || /T/i.test(duration!);
  return timed ? PlainDateTime.toString(end) : PlainDate.toString(PlainDateTime.toPlainDate(end));
}

function difference({ date, to, unit = "year" }: Arguments): Record<string, unknown> {
  const [from, until] = [read(date, "date"), read(to, "to")];
  const between = PlainDateTime.diff(from, until, { largestUnit: unit });
  const [first, last] = [PlainDateTime.toPlainDate(from), PlainDateTime.toPlainDate(until)];
  const { days } = PlainDate.diff(first, last, { largestUnit: "day" });
  return {
    duration: Duration.toString(between),
    in_units: Object.fromEntries(
      UNITS.map((name) => [`${name}s`, between[`${name}s`]]).filter(([, count]) => count !== 0),
    ),
    calendar_days: days,
    weekdays: weekdays(first, days),
  };
}

/** Weekdays (Monday to Friday) within `days` days, including the first day and excluding the last; negative for negative `days`. */
function weekdays(from: PlainDate.Record, days: number): number {
  const start = PlainDate.dayOfWeek(days < 0 ? PlainDate.addDays(from, days) : from);
  const [weeks, rest] = [Math.floor(Math.abs(days) / 7), Math.abs(days) % 7];
  const odd = Array.from({ length: rest }, (_, n) => ((start - 1 + n) % 7) + 1).filter((day) => day <= 5);
  return (weeks * 5 + odd.length) * (days < 0 ? -1 : 1) || 0;
}

const described = (date: PlainDate.Record) => ({
  date: PlainDate.toString(date),
  weekday: weekdayOf(date),
  iso_week: `${PlainDate.yearOfWeek(date)}-W${String(PlainDate.weekOfYear(date)).padStart(2, "0")}`,
  day_of_year: PlainDate.dayOfYear(date),
  days_in_year: PlainDate.daysInYear(date),
  days_in_month: PlainDate.daysInMonth(date),
  quarter: Math.ceil(date.month / 3),
  leap_year: PlainDate.inLeapYear(date),
});

function converted({ date, time_zone, to_time_zone }: Arguments): string {
  const from = zoned(read(date, "date", time_zone), time_zone ?? missing("time_zone"));
  return plain(inZone(ZonedDateTime.toInstant(from), to_time_zone ?? missing("to_time_zone")));
}

function at(instant: Instant.Record, time_zone: string) {
  const there = inZone(instant, time_zone);
  return {
    date: PlainDate.toString(ZonedDateTime.toPlainDate(there)),
    time: PlainTime.toString(ZonedDateTime.toPlainTime(there), { smallestUnit: "second" }),
    weekday: weekdayOf(ZonedDateTime.toPlainDate(there)),
    time_zone,
  };
}

/** ISO 8601 with offset, without the zone name in brackets. */
const plain = (date: ZonedDateTime.Record) => ZonedDateTime.toString(date, { timeZoneName: "never" });

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const weekdayOf = (date: PlainDate.Record) => WEEKDAYS[PlainDate.dayOfWeek(date) - 1]!;

const hasTime = (text: string) => /\dT\d/i.test(text);

/** An offset, or a zone in brackets, which the library would silently ignore. */
const OFFSET = /\dT[\d:.,]+\s*[+\-\u2212]\d|\[/iu;

/** Parses a local time; a trailing Z means that the zone is UTC. */
function read(text: string | undefined, name: string, time_zone = "UTC"): PlainDateTime.Record {
  if (text === undefined) return missing(name);
  const utc = /z$/i.test(text.trim());
  if (OFFSET.test(text) || (utc && !/^(etc\/)?utc$/i.test(time_zone))) {
    throw new ToolError(`"${text}" says its own offset: give the local time alone, and its zone as \`time_zone\`.`);
  }
  return attempt(
    () => PlainDateTime.fromString(text.trim().replace(/z$/i, ""), getISO),
    () => `"${text}" is not a date of the form 2026-03-31 or 2026-03-31T14:30.`,
  );
}

const readDuration = (text: string) =>
  attempt(
    () => Duration.fromString(text.trim()),
    () => `"${text}" is not an ISO 8601 duration, such as P1Y2M10D or -PT36H.`,
  );

const zoned = (date: PlainDateTime.Record, zone: string) =>
  withZone(zone, () => PlainDateTime.toZonedDateTime(date, zone));
const inZone = (instant: Instant.Record, zone: string) =>
  withZone(zone, () => Instant.toZonedDateTimeISO(instant, zone));
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
