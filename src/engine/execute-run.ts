import type { WorkflowStep } from "cloudflare:workers";
import { type Carried, InstanceMemory } from "./durable/memory";
import type { Suspension } from "./instance/signals";
import { childrenEnded } from "#core/wake-ups";
import type { RunDependencies } from "./instance/instance";
import type { InstanceParams } from "./instance/spec";
import { runSegment } from "./segment";
import type { WorkflowDefinition } from "#workflow-kit/workflow";

/** How a Workflow step ended, as data: its result loses the classes of errors. */
type Outcome = { is: "over" } | ({ is: "suspended"; suspension: Suspension } & Carried);

/** Attempts of a Workflow step, half a minute in all, are for bugs; storage is waited for inside the step. */
const SEGMENT_ATTEMPTS = 5;
const STEP = {
  retries: { limit: SEGMENT_ATTEMPTS - 1, delay: 1000, backoff: "exponential" },
  timeout: "30 minutes",
} as const;

/** The platform's longest timeout. The maintenance worker expires interactions (law 4). */
const MAX_TIMEOUT = "365 days";

/**
 * Executes one epoch of a run from start to end. A segment is the time between two waits, and one Workflow step: in it the workflow's function
 * runs from its top over what D1 holds, until the run ends or waits.
 */
export async function executeRun(
  { run_id, epoch }: InstanceParams,
  step: WorkflowStep,
  workflows: Readonly<Record<string, WorkflowDefinition>>,
  deps: RunDependencies,
): Promise<void> {
  const memory = new InstanceMemory();
  const waitForEvent = eventWaits(step);
  let idle = 0;
  for (let segment = 1; ; segment++) {
    const name = segment === 1 ? "segment" : `segment~${segment}`;
    const outcome: Outcome = await (step.do as any)(name, STEP, async ({ attempt }: { attempt: number }) => {
      const isFirst = segment === 1 && attempt === 1;
      const isLastAttempt = attempt >= SEGMENT_ATTEMPTS;
      const entry = { isFirst, isLastAttempt, idle: attempt === 1 ? idle : 0 };
      const suspension = await runSegment({ run_id, epoch }, workflows, deps, memory, entry);
      return suspension ? { is: "suspended", suspension, ...memory.carried } : { is: "over" };
    });
    if (outcome.is === "over") return;
    memory.restore(outcome);
    const { suspension } = outcome;
    switch (suspension.why) {
      case "paused":
        await waitForEvent(`resume_${suspension.pause}`);
        break;
      case "waiting":
        await Promise.race(eventsOf(suspension).map((type) => waitForEvent(type)));
        break;
      case "later":
        await step.sleep(`${name}/later`, suspension.ms);
        break;
    }
    idle = suspension.why === "later" ? suspension.ms : 0;
  }
}

/** The types of the events of which any ends the wait. */
const eventsOf = ({ interactions, children }: Extract<Suspension, { why: "waiting" }>): string[] => [
  ...interactions,
  ...(children === undefined ? [] : [childrenEnded(children)]),
];

/**
 * Waits for events of the platform, once for each type in the life of the instance: an interaction ends once and a resume comes once, so a replay
 * issues the same waits. After the platform's timeout of a year it waits again.
 */
function eventWaits(step: WorkflowStep) {
  const open = new Map<string, Promise<unknown>>();
  return function waitForEvent(type: string, year = 1): Promise<unknown> {
    const known = open.get(type);
    if (known) return known;
    const name = year === 1 ? `wait ${type}` : `wait ${type}~${year}`;
    const wait = step.waitForEvent(name, { type, timeout: MAX_TIMEOUT }).catch((error: Error) => {
      if (!/timed? ?out/i.test(error.message)) throw error;
      open.delete(type);
      return waitForEvent(type, year + 1);
    });
    wait.catch(() => {}); // its callers await it
    open.set(type, wait);
    return wait;
  };
}
