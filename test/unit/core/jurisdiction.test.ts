import { describe, expect, test } from "vitest";
import { isForeign } from "#core/jurisdiction";

describe("jurisdictions", () => {
  test.each([
    ["US", "US", false],
    ["us-ca", "US", false],
    ["US", "US-CA", false],
    ["US-NY", "US-CA", true],
    ["BR", "US", true],
    ["Brazil", "brazil ", false],
    ["Brasil", "BR", false],
    ["Brazil", "brasil", false],
    ["Brasilien", "US", true],
    ["U.S.", "United States", false],
    ["USA, California", "US-California", false],
    ["US CA", "US-NY", true],
    ["Estados Unidos", "BR-SP", true],
    ["California", "US", false],
    ["Bavaria", "Saxony", true],
    ["EU", "DE", false],
    ["DE", "EU", false],
    ["European Union", "Portugal", false],
    ["União Europeia", "França", false],
    ["EU", "DE-BY", false],
    ["EU", "GB", true],
    ["EU", "BR", true],
    ["UN", "BR", false],
    ["Nações Unidas", "US-CA", false],
    ["International", "Japan", false],
    ["FR", "DE", true],
    [null, "US", false],
    ["BR", null, false],
  ])("%s for a question of %s: foreign is %s", (of, asked, foreign) => {
    expect(isForeign(of, asked)).toBe(foreign);
  });
});
