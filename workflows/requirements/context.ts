import type { Action } from "#workflow-kit/action";
import type { Artifact } from "#workflow-kit/artifact";
import type { ActOptions, Run } from "#workflow-kit/run";
import type { Contents, Kind } from "./artifacts";
import type { Input, Options } from "./contract";
import type { RoleInbox, Workspace } from "./rules/workspace";

/** What one run works on. */
export interface RequirementsContext {
  run: Run;
  input: Input;
  options: Options;
}

/** An agent takes what lies on its desk, acts, and addresses the result to those it is meant for. */
export function perform<I, O>(
  run: Run,
  workspace: Workspace,
  action: Action<I, O>,
  take: (desk: RoleInbox) => I,
  options: Omit<ActOptions, "inputs"> = {},
): Promise<Artifact<O>> {
  const desk = workspace.inbox(action);
  const input = take(desk);
  return run.act(action, input, { ...options, inputs: desk.inputs });
}

/** Puts into the workspace what no model made. */
export const publish = <K extends Kind>(
  run: Run,
  kind: K,
  content: Contents[K],
  entry: {
    action: string;
    role: string;
    key?: string;
    subject?: string;
    sentFrom?: string;
    mediaType?: string;
    inputs?: readonly Artifact[];
  },
): Promise<Artifact<Contents[K]>> => run.record({ ...entry, kind, content });
