import { expect, test } from "vitest";
import { preferJurisdiction } from "#retrieval/prefer-jurisdiction";
import type { FoundPassage } from "#retrieval/search";

const passage = (jurisdiction: string | null, score: number) =>
  ({ passage: { jurisdiction }, score }) as unknown as FoundPassage;
const order = (found: FoundPassage[], jurisdiction: string | null) =>
  preferJurisdiction(found, jurisdiction).map(({ passage: { jurisdiction: of } }) => of);

test("passages of another jurisdiction come after near ones of the question's, and are not left out", () => {
  const found = [passage("US", 10), passage("BR-SP", 8), passage(null, 6)];
  expect(order(found, "BR")).toEqual(["BR-SP", null, "US"]);
  expect(order([passage("US", 30), ...found.slice(1)], "BR")).toEqual(["US", "BR-SP", null]);
  expect(order(found, null)).toEqual(["US", "BR-SP", null]);
  expect(order([passage("EU", 10), passage("DE", 8)], "DE")).toEqual(["EU", "DE"]);
});
