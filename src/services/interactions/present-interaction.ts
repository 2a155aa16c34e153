import type { InteractionRow } from "#store/rows";
import { type AboutColumns, aboutOf } from "../fields/about";
import { toTime, toTimeOrNull } from "../fields/time";
import type { PresentedInteraction } from "./schema";

/**
 * @param run the interaction's
 * @param callback_url the capability to answer; null for keys that may not write runs
 */
export function presentInteraction(
  row: InteractionRow,
  run: AboutColumns,
  callback_url: string | null,
): PresentedInteraction {
  return {
    object: "interaction",
    id: row.id,
    run_id: row.run_id,
    ...aboutOf(run),
    kind: row.kind,
    status: row.withdrawn ? "withdrawn" : row.status,
    stage: row.stage,
    prompt: row.prompt,
    artifacts: JSON.parse(row.artifacts),
    questions: JSON.parse(row.questions),
    answer_schema: JSON.parse(row.answer_schema),
    answer: row.answer === null ? null : JSON.parse(row.answer),
    answered_by: row.answered_by,
    assignee: assigneeOf(row),
    callback_url,
    expires_at: toTime(row.expires_at),
    on_expiry: row.on_expiry,
    created_at: toTime(row.created_at),
    answered_at: row.status === "answered" ? toTimeOrNull(row.settled_at) : null,
  };
}

const assigneeOf = ({ assignee_name: name, assignee_email: email }: InteractionRow) =>
  name === null && email === null ? null : { name, email };

/** Where an interaction is answered without an API key. `origin` is the run's: PUBLIC_URL, else where it was created. */
export const callbackUrl = (origin: string, token: string): string => `${origin}/v1/callbacks/${token}`;
