import type { Action } from "#workflow-kit/action";
import type { Artifact } from "#workflow-kit/artifact";
import type { ActOptions, Run } from "#workflow-kit/run";
import type { Contents, Kind } from "./artifacts";
import type { Input, Options } from "./contract";
import type { RoleInbox, Workspace } from "./rules/workspace";

/** A run with its input and options. */
export interface RequirementsContext {
  run: Run;
  input: Input;
  options: Options;
}

/** An agent reads the input of an action from its inbox and performs it. The artifacts that it took are the act's inputs. */
export function perform<I, O>(
  run: Run,
  workspace: Workspace,
  action: Action<I, O>,
  read: (inbox: RoleInbox) => I,
  options: Omit<ActOptions, "inputs"> = {},
): Promise<Artifact<O>> {
  const inbox = workspace.inbox(action);
  const input = read(inbox);
  return run.act(action, input, { ...options, inputs: inbox.inputs });
}

/** Records an artifact that no model made. */
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
