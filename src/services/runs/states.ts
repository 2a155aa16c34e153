import { Problem } from "#core/errors";
import type { RunRow } from "#store/rows";
import { RUN_STATUSES, type RunStatus, TERMINAL_STATUSES } from "#core/vocabulary";

/** The states in which a run allows each verb; the docs show this table, the verbs obey it. */
export const VERBS = {
  cancel: { done: "canceled", states: ["queued", "running", "input_required", "paused"] },
  pause: { done: "paused", states: ["queued", "running", "input_required"] },
  /** A run can be paused while it waits for input; its status then is `input_required`. */
  resume: { done: "resumed", states: ["paused", "input_required"] },
  retry: { done: "retried", states: ["failed", "canceled"] },
  delete: { done: "deleted", states: TERMINAL_STATUSES },
} as const satisfies Record<string, { done: string; states: readonly RunStatus[] }>;
export type Verb = keyof typeof VERBS;

/** The table in Markdown. */
export function verbTable(): string {
  const verbs = Object.keys(VERBS) as Verb[];
  const row = (state: RunStatus) =>
    `| \`${state}\` | ${verbs.map((verb) => (allows(verb, state) ? "yes" : "409")).join(" | ")} |`;
  return [
    `| status | ${verbs.join(" | ")} |`,
    `|---|${verbs.map(() => "---|").join("")}`,
    ...RUN_STATUSES.map(row),
  ].join("\n");
}

const allows = (verb: Verb, state: RunStatus) => (VERBS[verb].states as readonly RunStatus[]).includes(state);

/** @throws Problem `wrong_state` */
export function assertAllows(verb: Verb, run: Pick<RunRow, "status" | "paused">): void {
  if (!allows(verb, run.status)) throw wrongState(verb, run);
}

/** @param run as it is now: a verb that came too late reads it again */
export function wrongState(verb: Verb, run: Pick<RunRow, "status" | "paused">): Problem {
  const { done, states } = VERBS[verb];
  const state = run.status === "input_required" ? `input_required and ${run.paused ? "" : "not "}paused` : run.status;
  return new Problem("wrong_state", `The run is ${state}; it can be ${done} when it is ${states.join(", ")}.`);
}
