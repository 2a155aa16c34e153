import { Problem } from "#core/errors";
import { validationProblem } from "../fields/field-errors";
import { assertNotClosed, linkReplaced, readAgain, showInteraction } from "./interactions";
import type { PresentedInteraction } from "./schema";
import { toTime } from "../fields/time";
import type { RequestCompletion } from "../idempotency/complete-key";
import { withRetry } from "#core/retry";
import type { Services } from "../services";
import type { InteractionRow } from "#store/rows";
import { announceEvents, wake } from "../wake";
import { type Answer, readAnswer, sameAnswer, type UncheckedAnswer } from "./read-answer";

/**
 * Answers an interaction. The first valid answer wins; the same answer again is no error.
 * @throws Problem `already_answered`, `interaction_expired`, `interaction_canceled`, `validation_failed`
 */
export async function answerInteraction(
  services: Services,
  row: InteractionRow,
  given: UncheckedAnswer & { /** Number of the link by which it is given; absent: by a key. */ link?: number },
  completion?: RequestCompletion,
): Promise<PresentedInteraction> {
  if (given.link !== undefined && given.link !== row.link) throw linkReplaced();
  const read = readAnswer(row, given);
  assertTakesAnswer(row, read);
  if (row.status === "answered") return show(services, row);
  if ("errors" in read) throw validationProblem(read.errors);

  const answered = await services.store.interactions.answer(row.id, { ...read, link: given.link ?? null }, completion);
  if (answered) {
    await wake(services, { id: answered.run_id, epoch: answered.epoch }, [row.id]);
    await announceEvents(services, { ...row, id: row.run_id }, "run.input_received");
    return show(services, answered);
  }
  // Something else came first: what the interaction is now decides. It may be open, because the run was canceled and retried meanwhile.
  return answerInteraction(services, await readAgain(services, row), given, completion);
}

const show = (services: Services, row: InteractionRow) =>
  withRetry(() => showInteraction(services, row, { may_answer: true }));

/** Throws unless the interaction is open, or has this very answer. */
function assertTakesAnswer(row: InteractionRow, read: ReturnType<typeof readAnswer>): void {
  assertNotClosed(row);
  if (row.status === "answered" && !isStored(row, read)) {
    throw new Problem("already_answered", `Another answer was given at ${toTime(row.settled_at!)}.`);
  }
}

const isStored = (row: InteractionRow, read: ReturnType<typeof readAnswer>): read is Answer =>
  "answer" in read && row.answer !== null && sameAnswer(JSON.parse(row.answer), read.answer);
