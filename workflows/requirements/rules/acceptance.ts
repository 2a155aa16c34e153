import type { Severity } from "../artifacts";

/** The highest severity of a finding with which draft and model are accepted; `none`: no finding at all (MARE, II-B). */
export const ACCEPT_AT = ["none", "minor", "major"] as const;
export type AcceptAt = (typeof ACCEPT_AT)[number];

/** Whether findings of this gravity are in the way of acceptance. */
export const blocks = (severity: Severity, { accept_at }: { accept_at: AcceptAt }): boolean =>
  accept_at === "none" || (accept_at === "minor" ? severity !== "minor" : severity === "critical");
