import type { WorkflowStep } from "cloudflare:workers";
import { stepThroughOutage } from "../durable/outages";
import { Waits } from "../durable/waits";
import type { Instance } from "../instance/instance";

const STEP = { retries: { limit: 5, delay: 1000, backoff: "exponential" }, timeout: "30 minutes" } as const;

/** Waits until a run that its code cannot play any more has no open question: people who were asked can still answer. */
export async function questionsSettled({ run_id, deps }: Instance, step: WorkflowStep): Promise<void> {
  const waits = new Waits(step);
  const work = async () => (await deps.store.interactions.ofRun(run_id, "open")).map(({ id }) => id);
  for (let round = 1; ; round++) {
    const open = await stepThroughOutage(step, `open questions ${round}`, STEP, { work, clock: deps.clock });
    if (open.length === 0) return;
    await Promise.race(open.map((id) => waits.until(id)));
  }
}
