import { Problem } from "#core/errors";
import { validationProblem } from "../fields/faults";
import type { PresentedInteraction } from "./schema";
import { toTime } from "../fields/time";
import type { Settlement } from "../idempotency/settle-key";
import { withRetry } from "#core/retry";
import type { Services } from "../services";
import type { InteractionRow } from "#store/rows";
import { announceEvents, wake } from "../wake";
import { type Answer, readAnswer, sameAnswer, type UncheckedAnswer } from "./read-answer";
import { showInteraction } from "./show-interaction";

/**
 * Answers an interaction. The first valid answer wins; the same answer again is no error.
 * @throws Problem `already_answered`, `interaction_expired`, `interaction_canceled`, `validation_failed`
 */
export async function answerInteraction(
  services: Services,
  row: InteractionRow,
  given: UncheckedAnswer,
  settlement?: Settlement,
): Promise<PresentedInteraction> {
  const read = readAnswer(row, given);
  assertTakesAnswer(row, read);
  if (row.status === "answered") return show(services, row);
  if ("faults" in read) throw validationProblem(read.faults);

  const settled = await services.store.interactions.answer(row.id, read, settlement);
  if (settled) {
    await wake(services, { id: row.run_id, epoch: row.epoch }, [row.id]);
    await announceEvents(services, { ...row, id: row.run_id }, "run.input_received");
    return show(services, settled);
  }
  const current = await services.store.interactions.get(row.id);
  if (!current) throw new Problem("not_found", `There is no interaction ${row.id}.`);
  assertTakesAnswer(current, read);
  return show(services, current);
}

const show = (services: Services, row: InteractionRow) =>
  withRetry(() => showInteraction(services, row, { may_answer: true }));

/** Throws unless the interaction is open, or has this very answer. An expired one may still be stored as open, until the keeper settles it. */
function assertTakesAnswer(row: InteractionRow, read: ReturnType<typeof readAnswer>): void {
  if (row.status === "canceled")
    throw new Problem("interaction_canceled", "The run has ended and waits for no answer.");
  if (row.status === "expired" || (row.status === "open" && row.expires_at <= Date.now())) {
    throw new Problem("interaction_expired", `It could be answered until ${toTime(row.expires_at)}.`);
  }
  if (row.status === "answered" && !isStored(row, read)) {
    throw new Problem("already_answered", `Another answer was given at ${toTime(row.settled_at!)}.`);
  }
}

const isStored = (row: InteractionRow, read: ReturnType<typeof readAnswer>): read is Answer =>
  "answer" in read && row.answer !== null && sameAnswer(JSON.parse(row.answer), read.answer);
