/** Date arithmetic: the edge cases of the calendar. */
import { describe, expect, it, test } from "vitest";
import { dateArithmetic } from "#agents/tools/date-arithmetic";

const NOW = Date.UTC(2026, 1, 28, 23, 30);
const tool = dateArithmetic(() => NOW);
const calculate = async (args: object) => JSON.parse(await tool.call(args, new AbortController().signal));

const add: [date: string, duration: string, result: string][] = [
  ["2026-01-31", "P1M", "2026-02-28"],
  ["2024-01-31", "P1M", "2024-02-29"],
  ["2024-02-29", "P1Y", "2025-02-28"],
  ["2026-03-01", "-P1D", "2026-02-28"],
  ["2026-12-30", "P1W", "2027-01-06"],
  ["2026-02-28T23:00", "PT90M", "2026-03-01T00:30:00"],
  ["2026-02-28", "PT36H", "2026-03-01T12:00:00"],
  ["2000-02-28", "P1D", "2000-02-29"],
  ["1900-02-28", "P1D", "1900-03-01"],
];
test.each(add)("%s plus %s is %s", async (date, duration, result) => {
  expect(await calculate({ operation: "add", date, duration })).toEqual({ date: result });
});

it("adds elapsed time across a clock change in a time zone", async () => {
  const spring = { operation: "add", date: "2026-03-29T01:30", duration: "PT1H", time_zone: "Europe/Berlin" };
  expect(await calculate(spring)).toEqual({ date: "2026-03-29T03:30:00+02:00" });
  expect(await calculate({ ...spring, duration: "P1D" })).toEqual({ date: "2026-03-30T01:30:00+02:00" });
});

describe("the difference", () => {
  it("is given in units, days and weekdays", async () => {
    expect(await calculate({ operation: "difference", date: "2024-02-29", to: "2026-03-31" })).toEqual({
      duration: "P2Y1M2D",
      in_units: { years: 2, months: 1, days: 2 },
      calendar_days: 761,
      weekdays: 543,
    });
  });

  const weekdays: [from: string, to: string, days: number, count: number][] = [
    ["2026-11-20", "2026-11-23", 3, 1], // Friday to Monday
    ["2026-11-21", "2026-11-23", 2, 0],
    ["2026-11-16", "2026-11-30", 14, 10],
    ["2026-11-23", "2026-11-20", -3, -1],
    ["2026-11-20", "2026-11-20", 0, 0],
  ];
  test.each(weekdays)("from %s to %s is %d days, %d of them weekdays", async (date, to, calendar_days, count) => {
    expect(await calculate({ operation: "difference", date, to })).toMatchObject({ calendar_days, weekdays: count });
  });

  it("counts in the requested unit", async () => {
    const result = await calculate({
      operation: "difference",
      date: "2026-01-01T00:00",
      to: "2026-01-03T06:30",
      unit: "hour",
    });
    expect(result.in_units).toEqual({ hours: 54, minutes: 30 });
  });
});

it("describes a day", async () => {
  expect(await calculate({ operation: "describe", date: "2021-01-03" })).toEqual({
    date: "2021-01-03",
    weekday: "Sunday",
    iso_week: "2020-W53",
    day_of_year: 3,
    days_in_year: 365,
    days_in_month: 31,
    quarter: 1,
    leap_year: false,
  });
});

it("converts between time zones", async () => {
  const convert = {
    operation: "convert",
    date: "2026-07-01T20:00",
    time_zone: "America/New_York",
    to_time_zone: "Asia/Tokyo",
  };
  expect(await calculate(convert)).toEqual({ date: "2026-07-02T09:00:00+09:00" });
});

it("reads a Z as UTC", async () => {
  const convert = { operation: "convert", date: "2026-07-01T20:00Z", time_zone: "UTC", to_time_zone: "Europe/Paris" };
  expect(await calculate(convert)).toEqual({ date: "2026-07-01T22:00:00+02:00" });
  expect(await calculate({ operation: "add", date: "2026-07-01T20:00Z", duration: "PT1H" })).toEqual({
    date: "2026-07-01T21:00:00",
  });
});

it("gives the present time in a time zone", async () => {
  expect(await calculate({ operation: "now" })).toEqual({
    date: "2026-02-28",
    time: "23:30:00",
    weekday: "Saturday",
    time_zone: "UTC",
  });
  expect(await calculate({ operation: "now", time_zone: "Asia/Tokyo" })).toMatchObject({
    date: "2026-03-01",
    time: "08:30:00",
  });
});

const wrong: [object, RegExp][] = [
  [{ operation: "add", date: "2026-02-30", duration: "P1D" }, /"2026-02-30" is not a date/],
  [{ operation: "add", date: "next Monday", duration: "P1D" }, /is not a date/],
  [{ operation: "add", date: "2026-01-01", duration: "a week" }, /ISO 8601 duration/],
  [{ operation: "add", date: "2026-01-01" }, /needs `duration`/],
  [{ operation: "difference", date: "2026-01-01" }, /needs `to`/],
  [
    { operation: "convert", date: "2026-01-01T00:00", time_zone: "Berlin", to_time_zone: "UTC" },
    /"Berlin" is not a time zone/,
  ],
  [{ operation: "now", time_zone: "Mars/Base" }, /not a time zone/],
  [{ operation: "difference", date: "2026-01-01T10:00+02:00", to: "2026-01-01T10:00" }, /says its own offset/],
  [{ operation: "add", date: "2026-01-01T10:00[Asia/Tokyo]", duration: "P1D" }, /says its own offset/],
  [
    { operation: "convert", date: "2026-01-01T10:00Z", time_zone: "Europe/Paris", to_time_zone: "Asia/Tokyo" },
    /says its own offset/,
  ],
  [{ operation: "subtract", date: "2026-01-01" }, /do not fit/],
];
test.each(wrong)("%j is refused with a reason", async (args, reason) => {
  await expect(calculate(args)).rejects.toThrow(reason);
});
