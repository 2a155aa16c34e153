import { expect, test } from "vitest";
import { duration } from "#core/duration";

const schema = duration("1m", "365d");
const errors = (text: string) => schema.safeParse(text).error?.issues.map(({ message }) => message);

test.each(["60s", "1m", "12h", "365d"])("%s is a duration within the bounds", (text) => {
  expect(errors(text)).toBeUndefined();
});

test.each(["2 hours", "0m", "1.5h", "m", "", "1w"])("%j has one error: its form", (text) => {
  expect(errors(text)).toEqual(["Write a whole number and a unit, like 90s, 30m, 12h or 7d."]);
});

test.each(["59s", "366d"])("%s is out of bounds", (text) => {
  expect(errors(text)).toEqual(["Between 1m and 365d."]);
});
