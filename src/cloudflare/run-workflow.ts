import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from "cloudflare:workers";
import { composeRun } from "./compose";
import { ConfigurationError } from "#core/configuration";
import { log } from "#core/log";
import type { RunDependencies } from "#engine/instance/instance";
import { executeRun } from "#engine/execute-run";
import { workflows } from "#workflows/index";
import type { InstanceParams } from "#engine/instance/spec";

/** Until the variables are read again. Milliseconds. */
const CONFIGURATION_PAUSE_MS = 60_000;

/** The Workflow class: one instance executes one epoch of a run of any published workflow. */
export class RunWorkflow extends WorkflowEntrypoint<Env, InstanceParams> {
  override async run(event: Readonly<WorkflowEvent<InstanceParams>>, step: WorkflowStep): Promise<void> {
    return executeRun(event.payload, step, workflows, await this.dependencies(event.payload, step));
  }

  /** An instance that throws ends its run, so one waits while a variable of the deployment has an error. */
  private async dependencies({ run_id }: InstanceParams, step: WorkflowStep): Promise<RunDependencies> {
    for (let pause = 1; ; pause++) {
      try {
        return composeRun(this.env, run_id);
      } catch (error) {
        if (!(error instanceof ConfigurationError)) throw error;
        log.error("a run waits until the variables of the deployment are right", { run_id, error });
        await step.sleep(`configuration ${pause}`, CONFIGURATION_PAUSE_MS);
      }
    }
  }
}
