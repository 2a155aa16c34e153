import type { z } from "zod";

type Issue = z.core.$ZodIssue;

/** Turns zod issues into sentences with path and expectation: `relations.3.to: must be one of "a", "b".` */
export const issueSentences = (issues: readonly Issue[]): string[] => issues.flatMap((issue) => sentences(issue, []));

function sentences(issue: Issue, parent: PropertyKey[]): string[] {
  const path = [...parent, ...issue.path];
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    // Of a union, report the variant that the value matches best.
    const closest = issue.errors.reduce((best, next) => (next.length < best.length ? next : best));
    return closest.flatMap((inner) => sentences(inner, path));
  }
  return [`${path.length > 0 ? path.map(String).join(".") : "The answer"}: ${expectation(issue)}.`];
}

function expectation(issue: Issue): string {
  if (issue.code === "invalid_value") return `must be ${listed(issue.values)}`;
  if (issue.code === "invalid_type" && issue.message.endsWith("received undefined")) return "is missing";
  return issue.message.replace(/\.$/, "");
}

const listed = (values: readonly unknown[]) =>
  (values.length > 1 ? "one of " : "") + values.map((value) => JSON.stringify(value)).join(", ");
