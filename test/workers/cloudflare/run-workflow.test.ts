/** An instance whose deployment has a variable with an error waits, because one that throws would end its run. */
import type { WorkflowEvent, WorkflowStep } from "cloudflare:workers";
import { expect, it } from "vitest";
import { RunWorkflow } from "#cloudflare/run-workflow";
import type { InstanceParams } from "#engine/instance/spec";
import { bindings } from "../../support/parley";

it("runs once the variables are right", async () => {
  const env = { ...bindings, PROVIDERS: "{" } as unknown as Env;
  const seen: string[] = [];
  const step = {
    async sleep(name: string, ms: number) {
      seen.push(`${name}: ${ms}`);
      if (seen.length === 2) env.PROVIDERS = bindings.PROVIDERS;
    },
    async do(name: string, _config: object, work: (context: { attempt: number }) => Promise<unknown>) {
      seen.push(name);
      return work({ attempt: 1 });
    },
  } as unknown as WorkflowStep;
  const payload = { run_id: "run_01M82Q5W2MF5VHJ00PNRFBB3H4", epoch: 1 };
  const event = { payload } as unknown as WorkflowEvent<InstanceParams>;
  // Only the platform can construct it.
  const workflow = Object.create(RunWorkflow.prototype, { env: { value: env } }) as RunWorkflow;
  await workflow.run(event, step);
  expect(seen).toEqual(["configuration 1: 60000", "configuration 2: 60000", "segment"]);
});
