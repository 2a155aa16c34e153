/** Plans of a model's answers to each step, and changes to them. */
import type { Answer, SeenCall } from "./model";
import { callsOf, until } from "./parley";

/** Answers by the name of the step; the last one is repeated. */
export type Plan = Record<string, Answer[]>;

/** The plan with other answers to the steps whose names match. */
export const changed = (plan: Plan, step: RegExp, change: (answers: Answer[]) => Answer[]): Plan =>
  Object.fromEntries(
    Object.entries(plan).map(([name, answers]) => [name, step.test(name) ? change(answers) : answers]),
  );

/** The plan with late answers to the steps whose names match, so that a call is in flight for a while. */
export const slowed = (plan: Plan, step: RegExp, delay_ms: number): Plan =>
  changed(plan, step, (answers) => answers.map((answer) => ({ ...answer, delay_ms })));

/** Waits until so many calls of a run, by steps whose names match, are in flight; returns them. */
export const inFlight = (run: string, step: RegExp, count = 1): Promise<SeenCall[]> =>
  until(`${count} calls of ${step} in flight`, async () => {
    const calls = (await callsOf(run)).filter((one) => step.test(one.step) && one.ended_at === null);
    return calls.length >= count && calls;
  });

/** Waits until no call of a run is in flight. */
export const noneInFlight = (run: string) =>
  until("no call in flight", async () => (await callsOf(run)).every(({ ended_at }) => ended_at !== null));
