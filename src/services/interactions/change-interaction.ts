import { Problem } from "#core/errors";
import { withRetry } from "#core/retry";
import type { EventType } from "#core/vocabulary";
import type { InteractionChange } from "#store/interactions";
import type { InteractionRow } from "#store/rows";
import { validationProblem } from "../fields/field-errors";
import { toTime } from "../fields/time";
import type { RequestCompletion } from "../idempotency/complete-key";
import type { Services } from "../services";
import { addressRefusal, modeRefusal } from "../mail-settings";
import { announceEvents, wake } from "../wake";
import { assertNotClosed, readAgain, showInteraction } from "./interactions";
import type { PresentedInteraction } from "./schema";

const EVENTS = {
  extend: "run.input_extended",
  reassign: "run.input_reassigned",
  withdraw: "run.input_withdrawn",
} as const satisfies Record<InteractionChange["to"], EventType>;

/**
 * Extends an open interaction, addresses it to somebody else, or withdraws it: its run then continues as without an answer. Of a change and an
 * answer at the same moment the first one counts.
 * @throws Problem `already_answered`, `interaction_expired`, `interaction_withdrawn`, `interaction_canceled`; `validation_failed` for a deadline
 *   that is not later; `answer_required` when the run needs the answer
 */
export async function changeInteraction(
  services: Services,
  row: InteractionRow,
  change: InteractionChange,
  completion?: RequestCompletion,
): Promise<PresentedInteraction> {
  const show = (shown: InteractionRow) => withRetry(() => showInteraction(services, shown, { may_answer: true }));
  if (isMade(row, change)) return show(row);
  assertMayMail(services, row, change);
  const changed = await services.store.interactions.change(row.id, change, completion);
  if (changed) {
    if (change.to === "withdraw") await wake(services, { id: row.run_id, epoch: changed.epoch }, [row.id]);
    await announceEvents(services, { ...row, id: row.run_id }, EVENTS[change.to]);
    return show(changed);
  }
  const current = await readAgain(services, row);
  if (isMade(current, change)) return show(current);
  const refused = refusal(current, change);
  if (refused) throw refused;
  // The run was canceled and retried meanwhile, which has opened the interaction again.
  return changeInteraction(services, current, change, completion);
}

/** Messages about the question go to the address: not to strangers. @throws Problem `validation_failed` */
function assertMayMail({ settings: { mail } }: Services, { mode }: InteractionRow, change: InteractionChange): void {
  if (change.to !== "reassign" || !change.email || mail.from === null || modeRefusal(mail, mode)) return;
  const refused = addressRefusal(mail, change.email);
  if (refused) throw validationProblem([{ path: "email", code: "address_refused", message: refused }]);
}

/** Whether the interaction already is as the change would leave it. A reassigning always makes a new link. */
const isMade = (row: InteractionRow, change: InteractionChange): boolean =>
  change.to === "extend"
    ? row.status === "open" && row.expires_at === change.expires_at && row.expires_at > Date.now()
    : change.to === "withdraw" && row.withdrawn === 1;

/** Why an interaction cannot be changed; null: it can. */
function refusal(row: InteractionRow, change: InteractionChange): Problem | null {
  if (row.status === "answered")
    return new Problem("already_answered", `It was answered at ${toTime(row.settled_at!)}.`);
  assertNotClosed(row);
  if (change.to === "reassign") return null;
  if (change.to === "withdraw") {
    if (row.on_expiry === "proceed") return null;
    return new Problem("answer_required", "The run fails without an answer: its `on_expiry` is `fail`.");
  }
  if (row.expires_at < change.expires_at) return null;
  const message = `Later than the present deadline, ${toTime(row.expires_at)}.`;
  return validationProblem([{ path: "expires_at", code: "invalid_value", message }]);
}
