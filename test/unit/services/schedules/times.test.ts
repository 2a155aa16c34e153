import { describe, expect, test } from "vitest";
import { dueTimes, lastDueTime, nextTime } from "#services/schedules/times";

const MINUTE = 60_000;
const at = (time: string) => Date.parse(time);
const every = (cron: string, time_zone = "UTC") => ({ cron, time_zone });

describe("times of schedules that are due", () => {
  test("are walked up to a bound", () => {
    const first = at("2026-11-01T10:00:00Z");
    const { due, next } = dueTimes(every("* * * * *"), first, first + 1000 * MINUTE, 3);
    expect(due).toEqual([first, first + MINUTE, first + 2 * MINUTE]);
    expect(next).toBe(first + 3 * MINUTE);
  });

  test.each([
    ["the last is now", "* * * * *", "UTC", "2026-11-01T10:00:00Z", "2026-11-01T10:00:00Z", "2026-11-01T10:01:00Z"],
    [
      "the last is earlier",
      "0 8 * * MON",
      "UTC",
      "2026-11-04T10:00:00Z",
      "2026-11-02T08:00:00Z",
      "2026-11-09T08:00:00Z",
    ],
    // Lisbon's clock goes from 00:59 UTC (01:59) back to 01:00 on 25 October, and on 29 March from 00:59 on to 02:00.
    [
      "an hour comes twice",
      "30 1 * * *",
      "Europe/Lisbon",
      "2026-10-25T01:45:00Z",
      "2026-10-25T00:30:00Z",
      "2026-10-26T01:30:00Z",
    ],
    [
      "an hour does not come",
      "30 1 * * *",
      "Europe/Lisbon",
      "2026-03-29T05:00:00Z",
      "2026-03-29T01:00:00Z",
      "2026-03-30T00:30:00Z",
    ],
  ])("%s", (_, cron, zone, now, last, next) => {
    expect(lastDueTime(every(cron, zone), at(now))).toBe(at(last));
    expect(nextTime(every(cron, zone), at(last))).toBe(at(next));
    // The walk from the day before comes to the same.
    const walked = dueTimes(every(cron, zone), lastDueTime(every(cron, zone), at(last) - 1)!, at(now), 1e4);
    expect([walked.due.at(-1), walked.next]).toEqual([at(last), at(next)]);
  });
});
