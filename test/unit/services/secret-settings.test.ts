import { expect, it } from "vitest";
import { readSecretSettings } from "#services/secret-settings";

const ONE = "the first secret of a deployment!";
const TWO = "the second secret of a deployment";

it("one secret alone is in use", () => {
  expect(readSecretSettings({ PARLEY_SECRET: ONE })).toEqual([{ secret: ONE, until: null }]);
});

it("of two secrets the one without a date is in use, whichever it is", () => {
  const at = Date.UTC(2030, 0, 31);
  const both = { PARLEY_SECRET: ONE, PARLEY_SECRET_2: TWO };
  expect(readSecretSettings({ ...both, PARLEY_SECRET_UNTIL: "2030-01-31" })).toEqual([
    { secret: TWO, until: null },
    { secret: ONE, until: at },
  ]);
  const back = { ...both, PARLEY_SECRET_UNTIL: "never", PARLEY_SECRET_2_UNTIL: "2030-01-31T01:00:00+01:00" };
  expect(readSecretSettings(back)).toEqual([
    { secret: ONE, until: null },
    { secret: TWO, until: at },
  ]);
});

it.each<[Record<string, unknown>, RegExp]>([
  [{}, /PARLEY_SECRET is not set/],
  [{ PARLEY_SECRET: "short" }, /PARLEY_SECRET must have at least 32/],
  [{ PARLEY_SECRET: ONE, PARLEY_SECRET_2: "short" }, /PARLEY_SECRET_2 must have at least 32/],
  [{ PARLEY_SECRET: ONE, PARLEY_SECRET_2: ONE, PARLEY_SECRET_UNTIL: "2030-01-31" }, /must differ/],
  [{ PARLEY_SECRET: ONE, PARLEY_SECRET_UNTIL: "2030-01-31" }, /no secret in use/],
  [{ PARLEY_SECRET: ONE, PARLEY_SECRET_2_UNTIL: "2030-01-31" }, /without PARLEY_SECRET_2/],
  [{ PARLEY_SECRET: ONE, PARLEY_SECRET_2: TWO }, /exactly one secret in use/],
  [
    {
      PARLEY_SECRET: ONE,
      PARLEY_SECRET_2: TWO,
      PARLEY_SECRET_UNTIL: "2030-01-31",
      PARLEY_SECRET_2_UNTIL: "2030-01-31",
    },
    /exactly one secret in use/,
  ],
  ...["soon", "2030-01-31T00:00:00", "2030-13-01", "31.1.2030", ""].map(
    (text) =>
      [{ PARLEY_SECRET: ONE, PARLEY_SECRET_2: TWO, PARLEY_SECRET_UNTIL: text }, /PARLEY_SECRET_UNTIL must be/] as [
        Record<string, unknown>,
        RegExp,
      ],
  ),
])("an error is refused, and no value is quoted: %#", (vars, message) => {
  expect(() => readSecretSettings(vars)).toThrow(message);
  expect(() => readSecretSettings(vars)).not.toThrow(new RegExp(`${ONE}|${TWO}`));
});
