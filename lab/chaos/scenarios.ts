import type { Scenario as OfWorkflow } from "../../src/workflow-kit/scenario.ts";

/** A scenario of workflows/<workflow>/scenarios.ts. */
export type Scenario = OfWorkflow & { workflow: string };

/** Nobody answers in time, and the run proceeds without answers. */
const ABSENT = { on_expiry: "proceed", interaction_timeout: "1m", reviews: [] };

/**
 * The scenarios of a server's workflows. A request has one mock run; in its live runs each step gets the response of the mock run.
 * @param workflows names
 * @param options `absent` adds scenarios in which nobody answers: their mock runs take a minute for each question
 */
export async function scenariosOf(
  workflows: string[],
  { absent }: { absent: boolean },
): Promise<(Scenario & { absent: boolean })[]> {
  const scenarios = await Promise.all(
    workflows.map(async (workflow) => {
      const { scenarios: own }: { scenarios: readonly OfWorkflow[] } = await import(
        `../../workflows/${workflow}/scenarios.ts`
      );
      const named = own.map((scenario) => ({ ...scenario, workflow, absent: false }));
      const [first] = named;
      // An experiment's trials ask nobody.
      if (!absent || !first || first.dataset) return named;
      return [...named, { ...first, name: "nobody answers", options: { ...first.options, ...ABSENT }, absent: true }];
    }),
  );
  return scenarios.flat();
}
