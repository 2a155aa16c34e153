import { accepts } from "hono/accepts";
import type { AppContext } from "../context";

/** True when the client prefers a page to JSON, as browsers do (RFC 9110, 12.5.1). A tie is JSON. */
export const prefersPage = (c: AppContext): boolean =>
  accepts(c, {
    header: "Accept",
    supports: ["text/html", "application/json"],
    default: "application/json",
    match: (ranges) => (quality(ranges, "text/html") > quality(ranges, "application/json") ? "text/html" : ""),
  }) === "text/html";

/** The quality of the most specific range that matches a type. */
function quality(ranges: readonly { type: string; q: number }[], type: string): number {
  const named = (name: string) => ranges.find((range) => range.type.toLowerCase() === name);
  return (named(type) ?? named(`${type.split("/")[0]}/*`) ?? named("*/*"))?.q ?? 0;
}
