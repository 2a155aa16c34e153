import type { UserLog } from "../artifacts";

/**
 * The requirement when nothing has to be inferred: the user's own words, followed by the questions that a person answered and by their
 * remark. Nothing is worded anew, so nothing of what the user wrote is lost.
 */
export function requirementOf({ requirement, entries, comment }: UserLog): string {
  const answered = entries.flatMap(({ question, answer, source }) =>
    source === "user" && answer !== null ? [`${question} ${answer}`] : [],
  );
  return [requirement, ...(answered.length ? [answered.join("\n")] : []), ...(comment ? [comment] : [])].join("\n\n");
}
