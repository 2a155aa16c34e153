/** Plans of a model's answers to each act, and changes to them. */
import type { Answer, SeenCall } from "./model";
import { callsOf, until } from "./parley";

/** Answers by the name of the act; the last one is repeated. */
export type Plan = Record<string, Answer[]>;

/** The plan with other answers to the acts whose names match. */
export const changed = (plan: Plan, act: RegExp, change: (answers: Answer[]) => Answer[]): Plan =>
  Object.fromEntries(Object.entries(plan).map(([name, answers]) => [name, act.test(name) ? change(answers) : answers]));

/** The plan with late answers to the acts whose names match, so that a call is in flight for a while. */
export const slowed = (plan: Plan, act: RegExp, delay_ms: number): Plan =>
  changed(plan, act, (answers) => answers.map((answer) => ({ ...answer, delay_ms })));

/** Waits until so many calls of a run, by acts whose names match, are in flight; returns them. */
export const inFlight = (run: string, act: RegExp, count = 1): Promise<SeenCall[]> =>
  until(`${count} calls of ${act} in flight`, async () => {
    const calls = (await callsOf(run)).filter((one) => act.test(one.act) && one.ended_at === null);
    return calls.length >= count && calls;
  });

/** Waits until no call of a run is in flight. */
export const noneInFlight = (run: string) =>
  until("no call in flight", async () => (await callsOf(run)).every(({ ended_at }) => ended_at !== null));
