import { type Fault, Problem } from "#core/errors";
import { refused } from "../fields/faults";
import type { PresentedInteraction } from "./schema";
import { toTime } from "../fields/time";
import type { Services } from "../services";
import type { InteractionRow } from "#store/rows";
import { wakeSenders, wake } from "../wake";
import { type Answer, readAnswer, sameAnswer } from "./read-answer";
import { showInteraction } from "./show-interaction";

/**
 * Answers an interaction. The first valid answer wins; the same answer again is no error.
 * @param unread what of the body could not be read at all
 * @throws Problem `already_answered`, `interaction_expired`, `interaction_canceled`, `validation_failed`
 */
export async function answerInteraction(
  services: Services,
  row: InteractionRow,
  body: unknown,
  unread: readonly Fault[] = [],
): Promise<PresentedInteraction> {
  const given = readAnswer(row, body, unread);
  assertTakesAnswer(row, given);
  if (row.status === "answered") return show(services, row);
  if ("faults" in given) throw refused(given.faults);

  const settled = await services.store.interactions.answer(row.id, given.answer, given.answered_by);
  if (settled) {
    await wake(services, { id: row.run_id, epoch: row.epoch }, [row.id]);
    await wakeSenders(services, { id: row.run_id, tenant_id: row.tenant_id }, "run.input_received");
    return show(services, settled);
  }
  const now = await services.store.interactions.get(row.id);
  if (!now) throw new Problem("not_found", `There is no interaction ${row.id}.`);
  assertTakesAnswer(now, given);
  return show(services, now);
}

const show = (services: Services, row: InteractionRow) => showInteraction(services, row, { may_answer: true });

/** Throws unless the interaction is open, or was given this very answer. The keeper may not yet have settled what has expired. */
function assertTakesAnswer(row: InteractionRow, given: ReturnType<typeof readAnswer>): void {
  if (row.status === "canceled")
    throw new Problem("interaction_canceled", "The run has ended and waits for no answer.");
  if (row.status === "expired" || (row.status === "open" && row.expires_at <= Date.now())) {
    throw new Problem("interaction_expired", `It could be answered until ${toTime(row.expires_at)}.`);
  }
  if (row.status === "answered" && !isStored(row, given)) {
    throw new Problem("already_answered", `Another answer was given at ${toTime(row.settled_at!)}.`);
  }
}

const isStored = (row: InteractionRow, given: ReturnType<typeof readAnswer>): given is Answer =>
  "answer" in given && row.answer !== null && sameAnswer(JSON.parse(row.answer), given.answer);
