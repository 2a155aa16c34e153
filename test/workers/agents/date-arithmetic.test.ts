/** Dates with the Temporal of workerd: the unit tests run with a polyfill. */
import { expect, it } from "vitest";
import "../../unit/agents/tools/date-arithmetic.test";

it("Temporal is the runtime's own", () => {
  expect(Function.prototype.toString.call(Temporal.PlainDate)).toContain("[native code]");
});
