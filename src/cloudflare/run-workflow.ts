import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from "cloudflare:workers";
import { composeRun } from "./compose";
import { play } from "#engine/play";
import { workflows } from "#workflows/index";
import type { InstanceParams } from "#engine/instance/spec";

/** The Workflow class: one instance plays one epoch of a run of any published workflow. */
export class RunWorkflow extends WorkflowEntrypoint<Env, InstanceParams> {
  override run(event: Readonly<WorkflowEvent<InstanceParams>>, step: WorkflowStep): Promise<void> {
    return play(event.payload, step, workflows, composeRun(this.env));
  }
}
