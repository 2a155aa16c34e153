import type { WorkflowStep } from "cloudflare:workers";
import { type Carried, InstanceMemory } from "./durable/memory";
import type { Suspension } from "./instance/control";
import { childrenEnded } from "#core/wake-ups";
import type { RunDependencies } from "./instance/instance";
import type { InstanceParams } from "./instance/spec";
import { Stay } from "./stay";
import { onPlatform, Waits } from "./durable/waits";
import type { WorkflowDefinition } from "#workflow-kit/workflow";

/** How a step ended, as data: a step's result loses the classes of errors. */
type Outcome = { is: "over" } | ({ is: "suspended"; suspension: Suspension } & Carried);

/** Attempts of a step, half a minute in all, are for bugs; storage is waited for inside the step. */
const STEP_ATTEMPTS = 5;
const STEP = {
  retries: { limit: STEP_ATTEMPTS - 1, delay: 1000, backoff: "exponential" },
  timeout: "30 minutes",
} as const;

/**
 * Plays one epoch of a run from start to end. A stay is the time between two waits, and one Workflow step: the workflow's function runs in it from
 * its top over what D1 holds, until the run ends or waits.
 */
export async function play(
  { run_id, epoch }: InstanceParams,
  step: WorkflowStep,
  workflows: Readonly<Record<string, WorkflowDefinition>>,
  deps: RunDependencies,
): Promise<void> {
  const memory = new InstanceMemory();
  const waits = new Waits(step);
  let idle = 0;
  for (let entry = 1; ; entry++) {
    const name = entry === 1 ? "play" : `play~${entry}`;
    const outcome = (await onPlatform(
      (step.do as any)(name, STEP, async ({ attempt }: { attempt: number }): Promise<Outcome> => {
        const visit = { isFirst: entry === 1 && attempt === 1, isLastAttempt: attempt >= STEP_ATTEMPTS };
        const stay = new Stay({ run_id, epoch }, workflows, deps, memory, { ...visit, idle: attempt === 1 ? idle : 0 });
        const suspension = await stay.play();
        return suspension ? { is: "suspended", suspension, ...memory.carried } : { is: "over" };
      }),
    )) as Outcome;
    if (outcome.is === "over") return;
    memory.restore(outcome);
    const { suspension } = outcome;
    await untilOver(suspension, name, { step, waits });
    idle = suspension.why === "later" ? suspension.ms : 0;
  }
}

/** Waits between two steps until the reason of a suspension has passed. */
async function untilOver(
  suspension: Suspension,
  name: string,
  { step, waits }: { step: WorkflowStep; waits: Waits },
): Promise<void> {
  switch (suspension.why) {
    case "paused":
      await waits.until(`resume_${suspension.pause}`);
      return;
    case "waiting":
      await Promise.race(
        [
          ...suspension.interactions,
          ...(suspension.children === undefined ? [] : [childrenEnded(suspension.children)]),
        ].map((type) => waits.until(type)),
      );
      return;
    case "later":
      await onPlatform(step.sleep(`${name}/later`, suspension.ms));
      return;
    case "step_is_long":
      return;
  }
}
