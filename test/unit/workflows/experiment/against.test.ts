import { expect, test } from "vitest";
import { withAgainst } from "#workflows/experiment/rules/metrics/against";
import { measure } from "./samples";

test("measures that compare variants name the one to compare with: of the request, or the first", () => {
  const measures = [measure("accuracy"), measure("fair_eval.win"), measure("idea_quality")];
  const found = withAgainst(
    measures,
    ["accuracy", "idea_quality", { name: "fair_eval", against: "plain" } as { name: string }],
    "first",
  );
  expect(found.map(({ against }) => against)).toEqual([undefined, "plain", "first"]);
  expect(withAgainst(measures, undefined, "first").map(({ against }) => against)).toEqual([
    undefined,
    "first",
    "first",
  ]);
});
